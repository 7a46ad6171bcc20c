"""The answer: a question in, results with alerts out, recorded before it leaves (SPEC R-11, R-13)."""
