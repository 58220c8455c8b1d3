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
  %".12" = getelementptr inbounds i8, i8* %".11", i64 0
  %".13" = bitcast i8* %".12" to i16*
  %".14" = load i16, i16* %".13"
  %".15" = zext i16 %".14" to i64
  call void @"llvm.memset.p0i8.i32"(i8* %".6", i8 0, i32 18, i1 0)
  br label %"bits"
bits:
  %".18" = phi  i64 [%".15", %"entry"], [%".86", %"bit"]
  %".19" = icmp eq i64 %".18", 0
  br i1 %".19", label %"after", label %"bit"
bit:
  %".21" = call i64 @"llvm.cttz.i64"(i64 %".18", i1 1)
  %".22" = add i64 %".21", 0
  %".23" = bitcast i8* %".6" to i16*
  %".24" = mul i64 %".22", 4
  %".25" = add i64 %".24", 0
  %".26" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".25"
  %".27" = load i16, i16* %".26"
  %".28" = zext i16 %".27" to i64
  %".29" = getelementptr inbounds i16, i16* %".23", i64 %".28"
  %".30" = load i16, i16* %".29"
  %".31" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".25"
  %".32" = load i16, i16* %".31"
  %".33" = or i16 %".30", %".32"
  store i16 %".33", i16* %".29"
  %".35" = zext i16 %".33" to i64
  %".36" = shl i64 %".35", 0
  %".37" = or i64 0, %".36"
  %".38" = add i64 %".24", 1
  %".39" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".38"
  %".40" = load i16, i16* %".39"
  %".41" = zext i16 %".40" to i64
  %".42" = getelementptr inbounds i16, i16* %".23", i64 %".41"
  %".43" = load i16, i16* %".42"
  %".44" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".38"
  %".45" = load i16, i16* %".44"
  %".46" = or i16 %".43", %".45"
  store i16 %".46", i16* %".42"
  %".48" = zext i16 %".46" to i64
  %".49" = shl i64 %".48", 16
  %".50" = or i64 %".37", %".49"
  %".51" = add i64 %".24", 2
  %".52" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".51"
  %".53" = load i16, i16* %".52"
  %".54" = zext i16 %".53" to i64
  %".55" = getelementptr inbounds i16, i16* %".23", i64 %".54"
  %".56" = load i16, i16* %".55"
  %".57" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".51"
  %".58" = load i16, i16* %".57"
  %".59" = or i16 %".56", %".58"
  store i16 %".59", i16* %".55"
  %".61" = zext i16 %".59" to i64
  %".62" = shl i64 %".61", 32
  %".63" = or i64 %".50", %".62"
  %".64" = add i64 %".24", 3
  %".65" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".64"
  %".66" = load i16, i16* %".65"
  %".67" = zext i16 %".66" to i64
  %".68" = getelementptr inbounds i16, i16* %".23", i64 %".67"
  %".69" = load i16, i16* %".68"
  %".70" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".64"
  %".71" = load i16, i16* %".70"
  %".72" = or i16 %".69", %".71"
  store i16 %".72", i16* %".68"
  %".74" = zext i16 %".72" to i64
  %".75" = shl i64 %".74", 48
  %".76" = or i64 %".63", %".75"
  %".77" = lshr i64 %".76", 1
  %".78" = and i64 %".76", %".77"
  %".79" = lshr i64 %".78", 1
  %".80" = and i64 %".78", %".79"
  %".81" = icmp ne i64 %".80", 0
  %".82" = load i1, i1* %".9"
  %".83" = or i1 %".82", %".81"
  store i1 %".83", i1* %".9"
  %".85" = sub i64 %".18", 1
  %".86" = and i64 %".18", %".85"
  br label %"bits"
after:
  %".88" = bitcast i8* %".8" to i16*
  %".89" = mul i64 %".3", 4
  %".90" = add i64 %".89", 0
  %".91" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".90"
  %".92" = load i16, i16* %".91"
  %".93" = zext i16 %".92" to i64
  %".94" = getelementptr inbounds i16, i16* %".88", i64 %".93"
  %".95" = load i16, i16* %".94"
  %".96" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".90"
  %".97" = load i16, i16* %".96"
  %".98" = or i16 %".95", %".97"
  store i16 %".98", i16* %".94"
  %".100" = zext i16 %".98" to i64
  %".101" = shl i64 %".100", 0
  %".102" = or i64 0, %".101"
  %".103" = add i64 %".89", 1
  %".104" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".103"
  %".105" = load i16, i16* %".104"
  %".106" = zext i16 %".105" to i64
  %".107" = getelementptr inbounds i16, i16* %".88", i64 %".106"
  %".108" = load i16, i16* %".107"
  %".109" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".103"
  %".110" = load i16, i16* %".109"
  %".111" = or i16 %".108", %".110"
  store i16 %".111", i16* %".107"
  %".113" = zext i16 %".111" to i64
  %".114" = shl i64 %".113", 16
  %".115" = or i64 %".102", %".114"
  %".116" = add i64 %".89", 2
  %".117" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".116"
  %".118" = load i16, i16* %".117"
  %".119" = zext i16 %".118" to i64
  %".120" = getelementptr inbounds i16, i16* %".88", i64 %".119"
  %".121" = load i16, i16* %".120"
  %".122" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".116"
  %".123" = load i16, i16* %".122"
  %".124" = or i16 %".121", %".123"
  store i16 %".124", i16* %".120"
  %".126" = zext i16 %".124" to i64
  %".127" = shl i64 %".126", 32
  %".128" = or i64 %".115", %".127"
  %".129" = add i64 %".89", 3
  %".130" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.2", i64 0, i64 %".129"
  %".131" = load i16, i16* %".130"
  %".132" = zext i16 %".131" to i64
  %".133" = getelementptr inbounds i16, i16* %".88", i64 %".132"
  %".134" = load i16, i16* %".133"
  %".135" = getelementptr inbounds [36 x i16], [36 x i16]* @"table.3", i64 0, i64 %".129"
  %".136" = load i16, i16* %".135"
  %".137" = or i16 %".134", %".136"
  store i16 %".137", i16* %".133"
  %".139" = zext i16 %".137" to i64
  %".140" = shl i64 %".139", 48
  %".141" = or i64 %".128", %".140"
  %".142" = lshr i64 %".141", 1
  %".143" = and i64 %".141", %".142"
  %".144" = lshr i64 %".143", 1
  %".145" = and i64 %".143", %".144"
  %".146" = icmp ne i64 %".145", 0
  store i1 %".146", i1* %".9"
  %".148" = load i1, i1* %".9"
  %".149" = zext i1 %".148" to i64
  ret i64 %".149"
}
