"""Grade notebooks of students, safely (an extra: see book/teaching)."""
