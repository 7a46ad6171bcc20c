"""Django's PostgreSQL backend, as this service uses it: named in settings as ENGINE."""
