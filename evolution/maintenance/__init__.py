"""The steps of a night that look after what is stored, and the maths of ageing (SPEC E-02, E-04 to E-06)."""
