"""Bodies of requests and answers as JSON."""
