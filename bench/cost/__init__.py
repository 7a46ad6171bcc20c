"""Measurements of time, space and load, as ratios to a floor of the same run."""
