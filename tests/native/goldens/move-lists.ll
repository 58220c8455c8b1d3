define internal i64 @"probe.1"(i8* noalias %".1", i8* noalias %".2", i64 %".3")
{
entry:
  %".7" = alloca i64
  %".6" = alloca i64
  %".5" = alloca [768 x i64]
  store i64 0, i64* %".6"
  store i64 0, i64* %".7"
  br label %"visit"
visit:
  %".11" = getelementptr inbounds i8, i8* %".2", i64 6
  %".12" = getelementptr inbounds i8, i8* %".11", i64 0
  %".13" = bitcast i8* %".12" to i16*
  %".14" = load i16, i16* %".13"
  %".15" = zext i16 %".14" to i64
  br label %"bits"
moves:
  %".64" = load i64, i64* %".7"
  br label %"entry.1"
bits:
  %".17" = phi  i64 [%".15", %"visit"], [%".61", %"skip"]
  %".18" = icmp eq i64 %".17", 0
  br i1 %".18", label %"after", label %"bit"
bit:
  %".20" = call i64 @"llvm.cttz.i64"(i64 %".17", i1 1)
  %".21" = add i64 %".20", 0
  %".22" = getelementptr inbounds i8, i8* %".2", i64 6
  %".23" = getelementptr inbounds i8, i8* %".22", i64 0
  %".24" = bitcast i8* %".23" to i16*
  %".25" = load i16, i16* %".24"
  %".26" = zext i16 %".25" to i64
  %".27" = getelementptr inbounds i8, i8* %".2", i64 6
  %".28" = getelementptr inbounds i8, i8* %".27", i64 2
  %".29" = bitcast i8* %".28" to i16*
  %".30" = load i16, i16* %".29"
  %".31" = zext i16 %".30" to i64
  %".32" = or i64 %".26", %".31"
  %".33" = xor i64 %".32", 511
  %".34" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.2", i64 0, i64 %".21"
  %".35" = load i64, i64* %".34"
  %".36" = and i64 %".33", %".35"
  %".37" = call i64 @"llvm.ctpop.i64"(i64 %".36")
  %".38" = load i64, i64* %".7"
  %".39" = add i64 %".38", %".37"
  store i64 %".39", i64* %".7"
  %".41" = load i64, i64* %".6"
  %".42" = icmp ne i64 %".37", 0
  %".43" = zext i1 %".42" to i64
  %".44" = add i64 %".41", %".43"
  store i64 %".44", i64* %".6"
  %".46" = icmp ult i64 %".41", 256
  %".47" = select  i1 %".46", i64 %".41", i64 255
  %".48" = mul i64 %".47", 3
  %".49" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".48"
  store i64 %".39", i64* %".49"
  %".51" = mul i64 %".47", 3
  %".52" = add nsw i64 %".51", 1
  %".53" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".52"
  store i64 %".21", i64* %".53"
  %".55" = mul i64 %".47", 3
  %".56" = add nsw i64 %".55", 2
  %".57" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".56"
  store i64 %".36", i64* %".57"
  br label %"skip"
after:
  br label %"moves"
skip:
  %".60" = sub i64 %".17", 1
  %".61" = and i64 %".17", %".60"
  br label %"bits"
entry.1:
  %".66" = phi  i64 [0, %"moves"], [%".73", %"later"]
  %".67" = phi  i64 [0, %"moves"], [%".70", %"later"]
  %".68" = mul i64 %".66", 3
  %".69" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".68"
  %".70" = load i64, i64* %".69"
  %".71" = icmp ult i64 %".3", %".70"
  br i1 %".71", label %"entered", label %"later"
later:
  %".73" = add nsw i64 %".66", 1
  br label %"entry.1"
entered:
  %".75" = mul i64 %".66", 3
  %".76" = add nsw i64 %".75", 1
  %".77" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".76"
  %".78" = load i64, i64* %".77"
  %".79" = mul i64 %".66", 3
  %".80" = add nsw i64 %".79", 2
  %".81" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".80"
  %".82" = load i64, i64* %".81"
  %".83" = sub i64 %".3", %".67"
  %".84" = call i64 @"select.3"(i64 %".82", i64 %".83")
  %".85" = add i64 %".78", %".84"
  ret i64 %".85"
}
