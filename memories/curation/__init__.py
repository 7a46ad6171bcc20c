"""What people do to memories by hand."""
