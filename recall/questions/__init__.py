"""Questions: what is asked, by whom, of which time and of what, made ready for a search (SPEC R-18)."""
