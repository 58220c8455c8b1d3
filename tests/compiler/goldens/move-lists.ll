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
  %".12" = bitcast i8* %".11" to i16*
  %".13" = load i16, i16* %".12"
  %".14" = zext i16 %".13" to i64
  br label %"bits"
moves:
  %".61" = load i64, i64* %".7"
  br label %"entry.1"
bits:
  %".16" = phi  i64 [%".14", %"visit"], [%".58", %"skip"]
  %".17" = icmp eq i64 %".16", 0
  br i1 %".17", label %"after", label %"bit"
bit:
  %".19" = call i64 @"llvm.cttz.i64"(i64 %".16", i1 1)
  %".20" = add i64 %".19", 0
  %".21" = getelementptr inbounds i8, i8* %".2", i64 6
  %".22" = bitcast i8* %".21" to i16*
  %".23" = load i16, i16* %".22"
  %".24" = zext i16 %".23" to i64
  %".25" = getelementptr inbounds i8, i8* %".2", i64 8
  %".26" = bitcast i8* %".25" to i16*
  %".27" = load i16, i16* %".26"
  %".28" = zext i16 %".27" to i64
  %".29" = or i64 %".24", %".28"
  %".30" = xor i64 %".29", 511
  %".31" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.2", i64 0, i64 %".20"
  %".32" = load i64, i64* %".31"
  %".33" = and i64 %".30", %".32"
  %".34" = call i64 @"llvm.ctpop.i64"(i64 %".33")
  %".35" = load i64, i64* %".7"
  %".36" = add i64 %".35", %".34"
  store i64 %".36", i64* %".7"
  %".38" = load i64, i64* %".6"
  %".39" = icmp ne i64 %".34", 0
  %".40" = zext i1 %".39" to i64
  %".41" = add i64 %".38", %".40"
  store i64 %".41", i64* %".6"
  %".43" = icmp ult i64 %".38", 256
  %".44" = select  i1 %".43", i64 %".38", i64 255
  %".45" = mul i64 %".44", 3
  %".46" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".45"
  store i64 %".36", i64* %".46"
  %".48" = mul i64 %".44", 3
  %".49" = add nsw i64 %".48", 1
  %".50" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".49"
  store i64 %".20", i64* %".50"
  %".52" = mul i64 %".44", 3
  %".53" = add nsw i64 %".52", 2
  %".54" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".53"
  store i64 %".33", i64* %".54"
  br label %"skip"
after:
  br label %"moves"
skip:
  %".57" = sub i64 %".16", 1
  %".58" = and i64 %".16", %".57"
  br label %"bits"
entry.1:
  %".63" = phi  i64 [0, %"moves"], [%".70", %"later"]
  %".64" = phi  i64 [0, %"moves"], [%".67", %"later"]
  %".65" = mul i64 %".63", 3
  %".66" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".65"
  %".67" = load i64, i64* %".66"
  %".68" = icmp ult i64 %".3", %".67"
  br i1 %".68", label %"entered", label %"later"
later:
  %".70" = add nsw i64 %".63", 1
  br label %"entry.1"
entered:
  %".72" = mul i64 %".63", 3
  %".73" = add nsw i64 %".72", 1
  %".74" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".73"
  %".75" = load i64, i64* %".74"
  %".76" = mul i64 %".63", 3
  %".77" = add nsw i64 %".76", 2
  %".78" = getelementptr inbounds [768 x i64], [768 x i64]* %".5", i64 0, i64 %".77"
  %".79" = load i64, i64* %".78"
  %".80" = sub i64 %".3", %".64"
  %".81" = call i64 @"select64.3"(i64 %".79", i64 %".80")
  %".82" = add i64 %".75", %".81"
  ret i64 %".82"
}
