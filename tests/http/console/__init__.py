"""The console, as people see it in a browser."""
