"""What every part of the house counts with (`metrics`) and tells spans with (`tracing`)."""
