define internal i64 @"probe.1"(i8* noalias %".1", i8* noalias %".2", i64 %".3")
{
entry:
  %".16" = alloca [2 x i64]
  %".9" = alloca i1
  %".7" = alloca [3 x i64]
  %".5" = alloca [3 x i64]
  %".6" = bitcast [3 x i64]* %".5" to i8*
  %".8" = bitcast [3 x i64]* %".7" to i8*
  store i1 0, i1* %".9"
  %".11" = getelementptr inbounds i8, i8* %".2", i64 6
  %".12" = bitcast i8* %".11" to i16*
  %".13" = load i16, i16* %".12"
  %".14" = zext i16 %".13" to i64
  call void @"llvm.memset.p0i8.i32"(i8* %".6", i8 0, i32 18, i1 0)
  %".17" = bitcast [2 x i64]* %".16" to i8*
  %".18" = bitcast i8* %".17" to i64*
  %".19" = getelementptr inbounds i64, i64* %".18", i64 0
  store i64 0, i64* %".19"
  br label %"bits"
bits:
  %".22" = phi  i64 [%".14", %"entry"], [%".101", %"bit"]
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
  %".38" = bitcast i8* %".6" to i16*
  %".39" = mul i64 %".26", 4
  %".40" = add i64 %".39", 0
  %".41" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".40"
  %".42" = load i16, i16* %".41"
  %".43" = zext i16 %".42" to i64
  %".44" = getelementptr inbounds i16, i16* %".38", i64 %".43"
  %".45" = load i16, i16* %".44"
  %".46" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".40"
  %".47" = load i16, i16* %".46"
  %".48" = or i16 %".45", %".47"
  store i16 %".48", i16* %".44"
  %".50" = zext i16 %".48" to i64
  %".51" = shl i64 %".50", 0
  %".52" = or i64 0, %".51"
  %".53" = add i64 %".39", 1
  %".54" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".53"
  %".55" = load i16, i16* %".54"
  %".56" = zext i16 %".55" to i64
  %".57" = getelementptr inbounds i16, i16* %".38", i64 %".56"
  %".58" = load i16, i16* %".57"
  %".59" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".53"
  %".60" = load i16, i16* %".59"
  %".61" = or i16 %".58", %".60"
  store i16 %".61", i16* %".57"
  %".63" = zext i16 %".61" to i64
  %".64" = shl i64 %".63", 16
  %".65" = or i64 %".52", %".64"
  %".66" = add i64 %".39", 2
  %".67" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".66"
  %".68" = load i16, i16* %".67"
  %".69" = zext i16 %".68" to i64
  %".70" = getelementptr inbounds i16, i16* %".38", i64 %".69"
  %".71" = load i16, i16* %".70"
  %".72" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".66"
  %".73" = load i16, i16* %".72"
  %".74" = or i16 %".71", %".73"
  store i16 %".74", i16* %".70"
  %".76" = zext i16 %".74" to i64
  %".77" = shl i64 %".76", 32
  %".78" = or i64 %".65", %".77"
  %".79" = add i64 %".39", 3
  %".80" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".79"
  %".81" = load i16, i16* %".80"
  %".82" = zext i16 %".81" to i64
  %".83" = getelementptr inbounds i16, i16* %".38", i64 %".82"
  %".84" = load i16, i16* %".83"
  %".85" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".79"
  %".86" = load i16, i16* %".85"
  %".87" = or i16 %".84", %".86"
  store i16 %".87", i16* %".83"
  %".89" = zext i16 %".87" to i64
  %".90" = shl i64 %".89", 48
  %".91" = or i64 %".78", %".90"
  %".92" = lshr i64 %".91", 1
  %".93" = and i64 %".91", %".92"
  %".94" = lshr i64 %".93", 1
  %".95" = and i64 %".93", %".94"
  %".96" = icmp ne i64 %".95", 0
  %".97" = load i1, i1* %".9"
  %".98" = or i1 %".97", %".96"
  store i1 %".98", i1* %".9"
  %".100" = sub i64 %".22", 1
  %".101" = and i64 %".22", %".100"
  br label %"bits"
after:
  %".103" = getelementptr inbounds i8, i8* %".2", i64 6
  %".104" = bitcast i8* %".103" to i16*
  %".105" = load i16, i16* %".104"
  %".106" = zext i16 %".105" to i64
  %".107" = bitcast i8* %".8" to i16*
  %".108" = mul i64 %".3", 4
  %".109" = add i64 %".108", 0
  %".110" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".109"
  %".111" = load i16, i16* %".110"
  %".112" = zext i16 %".111" to i64
  %".113" = getelementptr inbounds i16, i16* %".107", i64 %".112"
  %".114" = load i16, i16* %".113"
  %".115" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".109"
  %".116" = load i16, i16* %".115"
  %".117" = or i16 %".114", %".116"
  store i16 %".117", i16* %".113"
  %".119" = zext i16 %".117" to i64
  %".120" = shl i64 %".119", 0
  %".121" = or i64 0, %".120"
  %".122" = add i64 %".108", 1
  %".123" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".122"
  %".124" = load i16, i16* %".123"
  %".125" = zext i16 %".124" to i64
  %".126" = getelementptr inbounds i16, i16* %".107", i64 %".125"
  %".127" = load i16, i16* %".126"
  %".128" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".122"
  %".129" = load i16, i16* %".128"
  %".130" = or i16 %".127", %".129"
  store i16 %".130", i16* %".126"
  %".132" = zext i16 %".130" to i64
  %".133" = shl i64 %".132", 16
  %".134" = or i64 %".121", %".133"
  %".135" = add i64 %".108", 2
  %".136" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".135"
  %".137" = load i16, i16* %".136"
  %".138" = zext i16 %".137" to i64
  %".139" = getelementptr inbounds i16, i16* %".107", i64 %".138"
  %".140" = load i16, i16* %".139"
  %".141" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".135"
  %".142" = load i16, i16* %".141"
  %".143" = or i16 %".140", %".142"
  store i16 %".143", i16* %".139"
  %".145" = zext i16 %".143" to i64
  %".146" = shl i64 %".145", 32
  %".147" = or i64 %".134", %".146"
  %".148" = add i64 %".108", 3
  %".149" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".148"
  %".150" = load i16, i16* %".149"
  %".151" = zext i16 %".150" to i64
  %".152" = getelementptr inbounds i16, i16* %".107", i64 %".151"
  %".153" = load i16, i16* %".152"
  %".154" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".148"
  %".155" = load i16, i16* %".154"
  %".156" = or i16 %".153", %".155"
  store i16 %".156", i16* %".152"
  %".158" = zext i16 %".156" to i64
  %".159" = shl i64 %".158", 48
  %".160" = or i64 %".147", %".159"
  %".161" = lshr i64 %".160", 1
  %".162" = and i64 %".160", %".161"
  %".163" = lshr i64 %".162", 1
  %".164" = and i64 %".162", %".163"
  %".165" = icmp ne i64 %".164", 0
  store i1 %".165", i1* %".9"
  %".167" = load i1, i1* %".9"
  %".168" = zext i1 %".167" to i64
  ret i64 %".168"
}
