"""Find orders to whoever reads the memory, in twenty languages beside English and Chinese (SPEC W-06)."""

from security.screening.injection.orders.matching import Sought, find_orders
from security.screening.injection.orders.words import LANGUAGES

__all__ = ["LANGUAGES", "Sought", "find_orders"]
