"""Every measurement that a reader looks at, one after the other, and the page that tells of them."""

from bench.whole.measure import measure

__all__ = ["measure"]
