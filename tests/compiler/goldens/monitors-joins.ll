define internal i64 @"probe.1"(i8* noalias %".1", i8* noalias %".2", i64 %".3")
{
entry:
  %".131" = alloca i1
  %".130" = alloca i32
  %".129" = alloca i64
  %".40" = alloca i1
  %".39" = alloca i32
  %".38" = alloca i64
  %".16" = alloca [2 x i64]
  %".9" = alloca i1
  %".7" = alloca [7 x i64]
  %".5" = alloca [7 x i64]
  %".6" = bitcast [7 x i64]* %".5" to i8*
  %".8" = bitcast [7 x i64]* %".7" to i8*
  store i1 0, i1* %".9"
  %".11" = getelementptr inbounds i8, i8* %".2", i64 6
  %".12" = bitcast i8* %".11" to i16*
  %".13" = load i16, i16* %".12"
  %".14" = zext i16 %".13" to i64
  call void @"llvm.memset.p0i8.i32"(i8* %".6", i8 0, i32 56, i1 0)
  %".17" = bitcast [2 x i64]* %".16" to i8*
  %".18" = bitcast i8* %".17" to i64*
  %".19" = getelementptr inbounds i64, i64* %".18", i64 0
  store i64 0, i64* %".19"
  br label %"bits"
bits:
  %".22" = phi  i64 [%".14", %"entry"], [%".123", %"after.1"]
  %".23" = icmp eq i64 %".22", 0
  br i1 %".23", label %"after", label %"bit"
bit:
  %".25" = call i64 @"llvm.cttz.i64"(i64 %".22", i1 1)
  %".26" = add i64 %".25", 0
  %".27" = bitcast i8* %".17" to i64*
  %".28" = getelementptr inbounds i64, i64* %".27", i64 0
  %".29" = load i64, i64* %".28"
  %".30" = shl i64 1, %".26"
  %".31" = or i64 %".29", %".30"
  %".32" = bitcast i8* %".17" to i64*
  %".33" = getelementptr inbounds i64, i64* %".32", i64 0
  store i64 %".31", i64* %".33"
  %".35" = bitcast i8* %".17" to i64*
  %".36" = getelementptr inbounds i64, i64* %".35", i64 0
  %".37" = load i64, i64* %".36"
  %".41" = getelementptr inbounds [9 x i32], [9 x i32]* @"table.2", i64 0, i64 %".26"
  %".42" = load i32, i32* %".41"
  store i32 %".42", i32* %".39"
  store i1 0, i1* %".40"
  store i64 %".26", i64* %".38"
  %".46" = trunc i64 %".26" to i16
  %".47" = getelementptr inbounds i8, i8* %".6", i64 36
  %".48" = bitcast i8* %".47" to i16*
  %".49" = getelementptr inbounds i16, i16* %".48", i64 %".26"
  store i16 %".46", i16* %".49"
  %".51" = mul i64 %".26", 1
  %".52" = add i64 %".51", 0
  %".53" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.3", i64 0, i64 %".52"
  %".54" = load i64, i64* %".53"
  %".55" = and i64 %".54", %".37"
  %".56" = shl i64 1, %".26"
  %".57" = xor i64 %".56", -1
  %".58" = and i64 %".55", %".57"
  br label %"bits.1"
after:
  %".125" = getelementptr inbounds i8, i8* %".2", i64 6
  %".126" = bitcast i8* %".125" to i16*
  %".127" = load i16, i16* %".126"
  %".128" = zext i16 %".127" to i64
  %".132" = getelementptr inbounds [9 x i32], [9 x i32]* @"table.2", i64 0, i64 %".3"
  %".133" = load i32, i32* %".132"
  store i32 %".133", i32* %".130"
  store i1 0, i1* %".131"
  store i64 %".3", i64* %".129"
  %".137" = trunc i64 %".3" to i16
  %".138" = getelementptr inbounds i8, i8* %".8", i64 36
  %".139" = bitcast i8* %".138" to i16*
  %".140" = getelementptr inbounds i16, i16* %".139", i64 %".3"
  store i16 %".137", i16* %".140"
  %".142" = mul i64 %".3", 1
  %".143" = add i64 %".142", 0
  %".144" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.3", i64 0, i64 %".143"
  %".145" = load i64, i64* %".144"
  %".146" = and i64 %".145", %".128"
  %".147" = shl i64 1, %".3"
  %".148" = xor i64 %".147", -1
  %".149" = and i64 %".146", %".148"
  br label %"bits.2"
bits.1:
  %".60" = phi  i64 [%".58", %"bit"], [%".106", %"found"]
  %".61" = icmp eq i64 %".60", 0
  br i1 %".61", label %"after.1", label %"bit.1"
bit.1:
  %".63" = call i64 @"llvm.cttz.i64"(i64 %".60", i1 1)
  %".64" = add i64 %".63", 0
  br label %"root"
after.1:
  %".108" = load i32, i32* %".39"
  %".109" = load i64, i64* %".38"
  %".110" = getelementptr inbounds i8, i8* %".6", i64 0
  %".111" = bitcast i8* %".110" to i32*
  %".112" = getelementptr inbounds i32, i32* %".111", i64 %".109"
  store i32 %".108", i32* %".112"
  %".114" = and i32 %".108", 7
  %".115" = call i32 @"llvm.ctpop.i32"(i32 %".114")
  %".116" = add i32 0, %".115"
  %".117" = icmp uge i32 %".116", 3
  %".118" = or i1 0, %".117"
  %".119" = load i1, i1* %".9"
  %".120" = or i1 %".119", %".118"
  store i1 %".120", i1* %".9"
  %".122" = sub i64 %".22", 1
  %".123" = and i64 %".22", %".122"
  br label %"bits"
root:
  %".66" = phi  i64 [%".64", %"bit.1"], [%".82", %"higher"]
  %".67" = getelementptr inbounds i8, i8* %".6", i64 36
  %".68" = bitcast i8* %".67" to i16*
  %".69" = getelementptr inbounds i16, i16* %".68", i64 %".66"
  %".70" = load i16, i16* %".69"
  %".71" = zext i16 %".70" to i64
  %".72" = icmp eq i64 %".71", %".66"
  br i1 %".72", label %"found", label %"higher"
higher:
  %".74" = getelementptr inbounds i8, i8* %".6", i64 36
  %".75" = bitcast i8* %".74" to i16*
  %".76" = getelementptr inbounds i16, i16* %".75", i64 %".71"
  %".77" = load i16, i16* %".76"
  %".78" = getelementptr inbounds i8, i8* %".6", i64 36
  %".79" = bitcast i8* %".78" to i16*
  %".80" = getelementptr inbounds i16, i16* %".79", i64 %".66"
  store i16 %".77", i16* %".80"
  %".82" = zext i16 %".77" to i64
  br label %"root"
found:
  %".84" = load i64, i64* %".38"
  %".85" = load i1, i1* %".40"
  %".86" = icmp eq i64 %".66", %".84"
  %".87" = or i1 %".85", %".86"
  store i1 %".87", i1* %".40"
  %".89" = icmp eq i64 %".84", %".26"
  %".90" = select  i1 %".89", i64 %".66", i64 %".84"
  %".91" = select  i1 %".89", i64 %".84", i64 %".66"
  %".92" = trunc i64 %".90" to i16
  %".93" = getelementptr inbounds i8, i8* %".6", i64 36
  %".94" = bitcast i8* %".93" to i16*
  %".95" = getelementptr inbounds i16, i16* %".94", i64 %".91"
  store i16 %".92", i16* %".95"
  store i64 %".90", i64* %".38"
  %".98" = load i32, i32* %".39"
  %".99" = getelementptr inbounds i8, i8* %".6", i64 0
  %".100" = bitcast i8* %".99" to i32*
  %".101" = getelementptr inbounds i32, i32* %".100", i64 %".66"
  %".102" = load i32, i32* %".101"
  %".103" = or i32 %".98", %".102"
  store i32 %".103", i32* %".39"
  %".105" = sub i64 %".60", 1
  %".106" = and i64 %".60", %".105"
  br label %"bits.1"
bits.2:
  %".151" = phi  i64 [%".149", %"after"], [%".197", %"found.1"]
  %".152" = icmp eq i64 %".151", 0
  br i1 %".152", label %"after.2", label %"bit.2"
bit.2:
  %".154" = call i64 @"llvm.cttz.i64"(i64 %".151", i1 1)
  %".155" = add i64 %".154", 0
  br label %"root.1"
after.2:
  %".199" = load i32, i32* %".130"
  %".200" = load i64, i64* %".129"
  %".201" = getelementptr inbounds i8, i8* %".8", i64 0
  %".202" = bitcast i8* %".201" to i32*
  %".203" = getelementptr inbounds i32, i32* %".202", i64 %".200"
  store i32 %".199", i32* %".203"
  %".205" = and i32 %".199", 7
  %".206" = call i32 @"llvm.ctpop.i32"(i32 %".205")
  %".207" = add i32 0, %".206"
  %".208" = icmp uge i32 %".207", 3
  %".209" = or i1 0, %".208"
  store i1 %".209", i1* %".9"
  %".211" = load i1, i1* %".9"
  %".212" = zext i1 %".211" to i64
  ret i64 %".212"
root.1:
  %".157" = phi  i64 [%".155", %"bit.2"], [%".173", %"higher.1"]
  %".158" = getelementptr inbounds i8, i8* %".8", i64 36
  %".159" = bitcast i8* %".158" to i16*
  %".160" = getelementptr inbounds i16, i16* %".159", i64 %".157"
  %".161" = load i16, i16* %".160"
  %".162" = zext i16 %".161" to i64
  %".163" = icmp eq i64 %".162", %".157"
  br i1 %".163", label %"found.1", label %"higher.1"
higher.1:
  %".165" = getelementptr inbounds i8, i8* %".8", i64 36
  %".166" = bitcast i8* %".165" to i16*
  %".167" = getelementptr inbounds i16, i16* %".166", i64 %".162"
  %".168" = load i16, i16* %".167"
  %".169" = getelementptr inbounds i8, i8* %".8", i64 36
  %".170" = bitcast i8* %".169" to i16*
  %".171" = getelementptr inbounds i16, i16* %".170", i64 %".157"
  store i16 %".168", i16* %".171"
  %".173" = zext i16 %".168" to i64
  br label %"root.1"
found.1:
  %".175" = load i64, i64* %".129"
  %".176" = load i1, i1* %".131"
  %".177" = icmp eq i64 %".157", %".175"
  %".178" = or i1 %".176", %".177"
  store i1 %".178", i1* %".131"
  %".180" = icmp eq i64 %".175", %".3"
  %".181" = select  i1 %".180", i64 %".157", i64 %".175"
  %".182" = select  i1 %".180", i64 %".175", i64 %".157"
  %".183" = trunc i64 %".181" to i16
  %".184" = getelementptr inbounds i8, i8* %".8", i64 36
  %".185" = bitcast i8* %".184" to i16*
  %".186" = getelementptr inbounds i16, i16* %".185", i64 %".182"
  store i16 %".183", i16* %".186"
  store i64 %".181", i64* %".129"
  %".189" = load i32, i32* %".130"
  %".190" = getelementptr inbounds i8, i8* %".8", i64 0
  %".191" = bitcast i8* %".190" to i32*
  %".192" = getelementptr inbounds i32, i32* %".191", i64 %".157"
  %".193" = load i32, i32* %".192"
  %".194" = or i32 %".189", %".193"
  store i32 %".194", i32* %".130"
  %".196" = sub i64 %".151", 1
  %".197" = and i64 %".151", %".196"
  br label %"bits.2"
}
