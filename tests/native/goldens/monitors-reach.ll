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
  %".12" = getelementptr inbounds i8, i8* %".11", i64 0
  %".13" = bitcast i8* %".12" to i16*
  %".14" = load i16, i16* %".13"
  %".15" = zext i16 %".14" to i64
  %".16" = and i64 73, %".15"
  br label %"flood"
flood:
  %".18" = phi  i64 [%".16", %"entry"], [%".34", %"flood"]
  %".19" = phi  i64 [%".16", %"entry"], [%".33", %"flood"]
  %".20" = and i64 %".19", 504
  %".21" = lshr i64 %".20", 3
  %".22" = and i64 %".19", 438
  %".23" = lshr i64 %".22", 1
  %".24" = or i64 %".21", %".23"
  %".25" = and i64 %".19", 219
  %".26" = shl i64 %".25", 1
  %".27" = or i64 %".24", %".26"
  %".28" = and i64 %".19", 63
  %".29" = shl i64 %".28", 3
  %".30" = or i64 %".27", %".29"
  %".31" = and i64 %".30", %".15"
  %".32" = xor i64 %".18", -1
  %".33" = and i64 %".31", %".32"
  %".34" = or i64 %".18", %".33"
  %".35" = icmp eq i64 %".33", 0
  br i1 %".35", label %"flooded", label %"flood"
flooded:
  %".37" = bitcast i8* %".6" to i64*
  %".38" = getelementptr inbounds i64, i64* %".37", i64 0
  store i64 %".34", i64* %".38"
  %".40" = and i64 %".34", 292
  %".41" = icmp eq i64 %".40", 0
  %".42" = xor i1 %".41", -1
  store i1 %".42", i1* %".9"
  %".44" = bitcast i8* %".8" to i64*
  %".45" = getelementptr inbounds i64, i64* %".44", i64 0
  %".46" = load i64, i64* %".45"
  %".47" = mul i64 %".3", 1
  %".48" = add i64 %".47", 0
  %".49" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.2", i64 0, i64 %".48"
  %".50" = load i64, i64* %".49"
  %".51" = lshr i64 73, %".3"
  %".52" = trunc i64 %".51" to i1
  %".53" = and i64 %".50", %".46"
  %".54" = icmp eq i64 %".53", 0
  %".55" = xor i1 %".54", -1
  %".56" = or i1 %".52", %".55"
  br i1 %".56", label %"touches", label %"reached"
touches:
  %".58" = getelementptr inbounds i8, i8* %".2", i64 6
  %".59" = getelementptr inbounds i8, i8* %".58", i64 0
  %".60" = bitcast i8* %".59" to i16*
  %".61" = load i16, i16* %".60"
  %".62" = zext i16 %".61" to i64
  %".63" = shl i64 1, %".3"
  %".64" = xor i64 %".46", -1
  %".65" = and i64 %".62", %".64"
  br label %"flood.1"
reached:
  %".94" = load i1, i1* %".9"
  %".95" = zext i1 %".94" to i64
  ret i64 %".95"
flood.1:
  %".67" = phi  i64 [%".63", %"touches"], [%".83", %"flood.1"]
  %".68" = phi  i64 [%".63", %"touches"], [%".82", %"flood.1"]
  %".69" = and i64 %".68", 504
  %".70" = lshr i64 %".69", 3
  %".71" = and i64 %".68", 438
  %".72" = lshr i64 %".71", 1
  %".73" = or i64 %".70", %".72"
  %".74" = and i64 %".68", 219
  %".75" = shl i64 %".74", 1
  %".76" = or i64 %".73", %".75"
  %".77" = and i64 %".68", 63
  %".78" = shl i64 %".77", 3
  %".79" = or i64 %".76", %".78"
  %".80" = and i64 %".79", %".65"
  %".81" = xor i64 %".67", -1
  %".82" = and i64 %".80", %".81"
  %".83" = or i64 %".67", %".82"
  %".84" = icmp eq i64 %".82", 0
  br i1 %".84", label %"flooded.1", label %"flood.1"
flooded.1:
  %".86" = or i64 %".46", %".83"
  %".87" = bitcast i8* %".8" to i64*
  %".88" = getelementptr inbounds i64, i64* %".87", i64 0
  store i64 %".86", i64* %".88"
  %".90" = and i64 %".86", 292
  %".91" = icmp ne i64 %".90", 0
  store i1 %".91", i1* %".9"
  br label %"reached"
}
