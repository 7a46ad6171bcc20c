"""Seeded simulation: the real service under a scheduler that owns time, order, crashes and messages."""
