"""Pages by what people come for."""
