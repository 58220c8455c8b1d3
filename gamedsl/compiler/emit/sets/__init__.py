"""Sets as words: quantifiers, images, and strategies that avoid loops over elements."""
