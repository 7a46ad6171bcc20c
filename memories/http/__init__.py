"""Captures and memories over HTTP; memories/urls.py gives the addresses."""
