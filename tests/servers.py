"""Start or find the embedded servers before Django reads its settings; a given DATABASE_URL is left alone."""

from config.embedded import export_endpoints

export_endpoints()
