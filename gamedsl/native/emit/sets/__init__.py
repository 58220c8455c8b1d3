"""Sets as words: quantifiers, images, and the strategies that avoid going through elements."""
