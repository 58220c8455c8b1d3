define internal i64 @"probe.1"(i8* noalias %".1", i8* noalias %".2", i64 %".3")
{
entry:
  %".9" = alloca i1
  %".7" = alloca [2 x i64]
  %".5" = alloca [2 x i64]
  %".6" = bitcast [2 x i64]* %".5" to i8*
  %".8" = bitcast [2 x i64]* %".7" to i8*
  store i1 0, i1* %".9"
  %".11" = getelementptr inbounds i8, i8* %".2", i64 6
  %".12" = bitcast i8* %".11" to i16*
  %".13" = load i16, i16* %".12"
  %".14" = zext i16 %".13" to i64
  %".15" = and i64 73, %".14"
  br label %"flood"
flood:
  %".17" = phi  i64 [%".15", %"entry"], [%".33", %"flood"]
  %".18" = phi  i64 [%".15", %"entry"], [%".32", %"flood"]
  %".19" = and i64 %".18", 504
  %".20" = lshr i64 %".19", 3
  %".21" = and i64 %".18", 438
  %".22" = lshr i64 %".21", 1
  %".23" = or i64 %".20", %".22"
  %".24" = and i64 %".18", 219
  %".25" = shl i64 %".24", 1
  %".26" = or i64 %".23", %".25"
  %".27" = and i64 %".18", 63
  %".28" = shl i64 %".27", 3
  %".29" = or i64 %".26", %".28"
  %".30" = and i64 %".29", %".14"
  %".31" = xor i64 %".17", -1
  %".32" = and i64 %".30", %".31"
  %".33" = or i64 %".17", %".32"
  %".34" = icmp eq i64 %".32", 0
  br i1 %".34", label %"flooded", label %"flood"
flooded:
  %".36" = bitcast i8* %".6" to i64*
  %".37" = getelementptr inbounds i64, i64* %".36", i64 0
  store i64 %".33", i64* %".37"
  %".39" = and i64 %".33", 292
  %".40" = icmp eq i64 %".39", 0
  %".41" = xor i1 %".40", -1
  store i1 %".41", i1* %".9"
  %".43" = bitcast i8* %".8" to i64*
  %".44" = getelementptr inbounds i64, i64* %".43", i64 0
  %".45" = load i64, i64* %".44"
  %".46" = mul i64 %".3", 1
  %".47" = add i64 %".46", 0
  %".48" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.2", i64 0, i64 %".47"
  %".49" = load i64, i64* %".48"
  %".50" = lshr i64 73, %".3"
  %".51" = trunc i64 %".50" to i1
  %".52" = and i64 %".49", %".45"
  %".53" = icmp eq i64 %".52", 0
  %".54" = xor i1 %".53", -1
  %".55" = or i1 %".51", %".54"
  br i1 %".55", label %"touches", label %"reached"
touches:
  %".57" = getelementptr inbounds i8, i8* %".2", i64 6
  %".58" = bitcast i8* %".57" to i16*
  %".59" = load i16, i16* %".58"
  %".60" = zext i16 %".59" to i64
  %".61" = shl i64 1, %".3"
  %".62" = xor i64 %".45", -1
  %".63" = and i64 %".60", %".62"
  br label %"flood.1"
reached:
  %".92" = load i1, i1* %".9"
  %".93" = zext i1 %".92" to i64
  ret i64 %".93"
flood.1:
  %".65" = phi  i64 [%".61", %"touches"], [%".81", %"flood.1"]
  %".66" = phi  i64 [%".61", %"touches"], [%".80", %"flood.1"]
  %".67" = and i64 %".66", 504
  %".68" = lshr i64 %".67", 3
  %".69" = and i64 %".66", 438
  %".70" = lshr i64 %".69", 1
  %".71" = or i64 %".68", %".70"
  %".72" = and i64 %".66", 219
  %".73" = shl i64 %".72", 1
  %".74" = or i64 %".71", %".73"
  %".75" = and i64 %".66", 63
  %".76" = shl i64 %".75", 3
  %".77" = or i64 %".74", %".76"
  %".78" = and i64 %".77", %".63"
  %".79" = xor i64 %".65", -1
  %".80" = and i64 %".78", %".79"
  %".81" = or i64 %".65", %".80"
  %".82" = icmp eq i64 %".80", 0
  br i1 %".82", label %"flooded.1", label %"flood.1"
flooded.1:
  %".84" = or i64 %".45", %".81"
  %".85" = bitcast i8* %".8" to i64*
  %".86" = getelementptr inbounds i64, i64* %".85", i64 0
  store i64 %".84", i64* %".86"
  %".88" = and i64 %".84", 292
  %".89" = icmp ne i64 %".88", 0
  store i1 %".89", i1* %".9"
  br label %"reached"
}
