"""What every endpoint is made of: fields, problems, pages, rates and the view they share (SPEC I-01)."""
