define internal i64 @"probe.1"(i8* noalias %".1", i8* noalias %".2", i64 %".3")
{
entry:
  %".5" = getelementptr inbounds [9 x i64], [9 x i64]* @"table.2", i64 0, i64 4
  %".6" = load i64, i64* %".5"
  %".7" = and i64 %".6", %".3"
  %".8" = or i64 %".7", 1
  %".9" = call i64 @"llvm.ctlz.i64"(i64 %".8", i1 1)
  %".10" = sub i64 63, %".9"
  %".11" = shl i64 1, %".10"
  %".12" = sub i64 %".11", 1
  %".13" = and i64 %".6", %".12"
  ret i64 %".13"
}
