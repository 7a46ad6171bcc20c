"""Measurements of the write track: what is kept, understood, screened, and judged of what stood before."""
