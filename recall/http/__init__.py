"""Recall over HTTP; recall/urls.py gives the addresses."""
