gamedsl replay nowhere.record  # ! E0530
