"""What comes of a recall over HTTP; evolution/urls.py gives the addresses."""
