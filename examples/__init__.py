"""What to try first: a sample fleet, and the demo that shows the service at work on it."""
