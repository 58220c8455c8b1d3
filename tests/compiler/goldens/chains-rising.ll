define internal i64 @"probe.1"(i8* noalias %".1", i8* noalias %".2", i64 %".3")
{
entry:
  %".5" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.2", i64 0, i64 4
  %".6" = load i64, i64* %".5"
  %".7" = and i64 %".6", %".3"
  %".8" = sub i64 %".7", 1
  %".9" = xor i64 %".7", %".8"
  %".10" = xor i64 %".9", -1
  %".11" = and i64 %".6", %".10"
  ret i64 %".11"
}
