"""The maths of ranking: pure functions over numpy arrays, no ORM, no clock (SPEC R-02)."""
