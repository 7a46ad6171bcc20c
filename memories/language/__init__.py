"""Words: tokens, tags, names, sentences, scripts, and the one spelling of a key. Pure."""
