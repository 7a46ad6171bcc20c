"""The top of the house: settings, addresses, workers, embedded servers, admin site."""
