define internal i64 @"probe.1"(i8* noalias %".1", i8* noalias %".2", i64 %".3")
{
entry:
  %".9" = alloca i1
  %".7" = alloca [9 x i16]
  %".5" = alloca [9 x i16]
  %".6" = bitcast [9 x i16]* %".5" to i8*
  %".8" = bitcast [9 x i16]* %".7" to i8*
  store i1 0, i1* %".9"
  %".11" = getelementptr inbounds i8, i8* %".2", i64 6
  %".12" = bitcast i8* %".11" to i16*
  %".13" = load i16, i16* %".12"
  %".14" = zext i16 %".13" to i64
  call void @"llvm.memset.p0i8.i32"(i8* %".6", i8 0, i32 18, i1 0)
  br label %"bits"
bits:
  %".17" = phi  i64 [%".14", %"entry"], [%".85", %"bit"]
  %".18" = icmp eq i64 %".17", 0
  br i1 %".18", label %"after", label %"bit"
bit:
  %".20" = call i64 @"llvm.cttz.i64"(i64 %".17", i1 1)
  %".21" = add i64 %".20", 0
  %".22" = bitcast i8* %".6" to i16*
  %".23" = mul i64 %".21", 4
  %".24" = add i64 %".23", 0
  %".25" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".24"
  %".26" = load i16, i16* %".25"
  %".27" = zext i16 %".26" to i64
  %".28" = getelementptr inbounds i16, i16* %".22", i64 %".27"
  %".29" = load i16, i16* %".28"
  %".30" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".24"
  %".31" = load i16, i16* %".30"
  %".32" = or i16 %".29", %".31"
  store i16 %".32", i16* %".28"
  %".34" = zext i16 %".32" to i64
  %".35" = shl i64 %".34", 0
  %".36" = or i64 0, %".35"
  %".37" = add i64 %".23", 1
  %".38" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".37"
  %".39" = load i16, i16* %".38"
  %".40" = zext i16 %".39" to i64
  %".41" = getelementptr inbounds i16, i16* %".22", i64 %".40"
  %".42" = load i16, i16* %".41"
  %".43" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".37"
  %".44" = load i16, i16* %".43"
  %".45" = or i16 %".42", %".44"
  store i16 %".45", i16* %".41"
  %".47" = zext i16 %".45" to i64
  %".48" = shl i64 %".47", 16
  %".49" = or i64 %".36", %".48"
  %".50" = add i64 %".23", 2
  %".51" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".50"
  %".52" = load i16, i16* %".51"
  %".53" = zext i16 %".52" to i64
  %".54" = getelementptr inbounds i16, i16* %".22", i64 %".53"
  %".55" = load i16, i16* %".54"
  %".56" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".50"
  %".57" = load i16, i16* %".56"
  %".58" = or i16 %".55", %".57"
  store i16 %".58", i16* %".54"
  %".60" = zext i16 %".58" to i64
  %".61" = shl i64 %".60", 32
  %".62" = or i64 %".49", %".61"
  %".63" = add i64 %".23", 3
  %".64" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".63"
  %".65" = load i16, i16* %".64"
  %".66" = zext i16 %".65" to i64
  %".67" = getelementptr inbounds i16, i16* %".22", i64 %".66"
  %".68" = load i16, i16* %".67"
  %".69" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".63"
  %".70" = load i16, i16* %".69"
  %".71" = or i16 %".68", %".70"
  store i16 %".71", i16* %".67"
  %".73" = zext i16 %".71" to i64
  %".74" = shl i64 %".73", 48
  %".75" = or i64 %".62", %".74"
  %".76" = lshr i64 %".75", 1
  %".77" = and i64 %".75", %".76"
  %".78" = lshr i64 %".77", 1
  %".79" = and i64 %".77", %".78"
  %".80" = icmp ne i64 %".79", 0
  %".81" = load i1, i1* %".9"
  %".82" = or i1 %".81", %".80"
  store i1 %".82", i1* %".9"
  %".84" = sub i64 %".17", 1
  %".85" = and i64 %".17", %".84"
  br label %"bits"
after:
  %".87" = bitcast i8* %".8" to i16*
  %".88" = mul i64 %".3", 4
  %".89" = add i64 %".88", 0
  %".90" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".89"
  %".91" = load i16, i16* %".90"
  %".92" = zext i16 %".91" to i64
  %".93" = getelementptr inbounds i16, i16* %".87", i64 %".92"
  %".94" = load i16, i16* %".93"
  %".95" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".89"
  %".96" = load i16, i16* %".95"
  %".97" = or i16 %".94", %".96"
  store i16 %".97", i16* %".93"
  %".99" = zext i16 %".97" to i64
  %".100" = shl i64 %".99", 0
  %".101" = or i64 0, %".100"
  %".102" = add i64 %".88", 1
  %".103" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".102"
  %".104" = load i16, i16* %".103"
  %".105" = zext i16 %".104" to i64
  %".106" = getelementptr inbounds i16, i16* %".87", i64 %".105"
  %".107" = load i16, i16* %".106"
  %".108" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".102"
  %".109" = load i16, i16* %".108"
  %".110" = or i16 %".107", %".109"
  store i16 %".110", i16* %".106"
  %".112" = zext i16 %".110" to i64
  %".113" = shl i64 %".112", 16
  %".114" = or i64 %".101", %".113"
  %".115" = add i64 %".88", 2
  %".116" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".115"
  %".117" = load i16, i16* %".116"
  %".118" = zext i16 %".117" to i64
  %".119" = getelementptr inbounds i16, i16* %".87", i64 %".118"
  %".120" = load i16, i16* %".119"
  %".121" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".115"
  %".122" = load i16, i16* %".121"
  %".123" = or i16 %".120", %".122"
  store i16 %".123", i16* %".119"
  %".125" = zext i16 %".123" to i64
  %".126" = shl i64 %".125", 32
  %".127" = or i64 %".114", %".126"
  %".128" = add i64 %".88", 3
  %".129" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".128"
  %".130" = load i16, i16* %".129"
  %".131" = zext i16 %".130" to i64
  %".132" = getelementptr inbounds i16, i16* %".87", i64 %".131"
  %".133" = load i16, i16* %".132"
  %".134" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".128"
  %".135" = load i16, i16* %".134"
  %".136" = or i16 %".133", %".135"
  store i16 %".136", i16* %".132"
  %".138" = zext i16 %".136" to i64
  %".139" = shl i64 %".138", 48
  %".140" = or i64 %".127", %".139"
  %".141" = lshr i64 %".140", 1
  %".142" = and i64 %".140", %".141"
  %".143" = lshr i64 %".142", 1
  %".144" = and i64 %".142", %".143"
  %".145" = icmp ne i64 %".144", 0
  store i1 %".145", i1* %".9"
  %".147" = load i1, i1* %".9"
  %".148" = zext i1 %".147" to i64
  ret i64 %".148"
}
