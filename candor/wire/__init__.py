"""How a call of the API becomes a request, how it is sent and repeated, and what a method makes of it."""
