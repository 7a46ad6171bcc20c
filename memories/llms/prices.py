"""What a million tokens cost, by model."""

from dataclasses import dataclass
from typing import Final

from memories.llms.base import Spent
from security.patterns import bounded

_MILLION: Final = 1_000_000
_DATED: Final = bounded(r"-(?:\d{8}|\d{4}-\d\d-\d\d)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens. Prompts over `long_from` tokens cost so many times as much."""

    read: float  #: fresh input
    write_cache: float  #: input that is kept for the next requests
    read_cache: float
    out: float
    long_from: int | None = None
    long_in: float = 1.0
    long_out: float = 1.0


def _price(read: float, write_cache: float, read_cache: float, out: float) -> Price:
    return Price(read=read, write_cache=write_cache, read_cache=read_cache, out=out)


def _gpt(read: float, read_cache: float, out: float) -> Price:
    """Return a price of OpenAI's: since GPT-5.6 writing the cache costs a quarter more than fresh input."""
    return Price(
        read=read, write_cache=read * 1.25, read_cache=read_cache, out=out,
        long_from=272_000, long_in=2.0, long_out=1.5,
    )  # fmt: skip


PRICES: Final[dict[str, Price]] = {
    "claude-fable-5-1": _price(10.0, 12.5, 0.25, 50.0),
    "claude-fable-5": _price(10.0, 12.5, 1.0, 50.0),
    "claude-opus-5-5": _price(4.0, 5.0, 0.2, 20.0),
    "claude-opus-5": _price(5.0, 6.25, 0.5, 25.0),
    "claude-opus-4-8": _price(5.0, 6.25, 0.5, 25.0),
    "claude-opus-4-7": _price(5.0, 6.25, 0.5, 25.0),
    "claude-opus-4-6": _price(5.0, 6.25, 0.5, 25.0),
    "claude-opus-4-5": _price(5.0, 6.25, 0.5, 25.0),
    "claude-sonnet-5-5": _price(2.0, 2.5, 0.1, 10.0),
    "claude-sonnet-5": _price(2.0, 2.5, 0.2, 10.0),
    "claude-sonnet-4-6": _price(3.0, 3.75, 0.3, 15.0),
    "claude-sonnet-4-5": _price(3.0, 3.75, 0.3, 15.0),
    "claude-haiku-5-5": Price(
        read=0.1,
        write_cache=0.125,
        read_cache=0.01,
        out=0.5,
        long_from=100_000,
        long_in=5.0,
        long_out=5.0,
    ),
    "claude-haiku-4-5": _price(1.0, 1.25, 0.1, 5.0),
    "gpt-6-astra": _gpt(10.0, 1.0, 50.0),
    "gpt-6.2-sol": _gpt(2.0, 0.1, 10.0),
    "gpt-6.1-sol": _gpt(2.0, 0.1, 10.0),
    "gpt-6-sol": _gpt(2.0, 0.2, 10.0),
    "gpt-6.1-terra": _gpt(1.0, 0.05, 5.0),
    "gpt-6-luna": _gpt(0.1, 0.01, 0.5),
    "gpt-5.6-terra": _gpt(2.0, 0.2, 12.0),
    "gpt-5.6-luna": _gpt(0.2, 0.02, 1.2),
    "gpt-5.4-mini": _price(0.75, 0.75, 0.075, 4.5),
    "gpt-5.4-nano": _price(0.2, 0.2, 0.02, 1.25),
}
"""From platform.claude.com/docs/en/about-claude/pricing, developers.openai.com/api/docs/pricing and the pages
of the models, as of 2026-11-21. Standard tier, shortest cache. A model that is not here, such as one on a
server of one's own, costs 0.0 and is flagged as not priced."""


def price_request(model: str, *, fresh: int, cache_written: int, cache_read: int, out: int) -> Spent:
    """Price one request by its token counts; `model` may end in the date of its release."""
    tokens_in = fresh + cache_written + cache_read
    price = PRICES.get(_DATED.sub("", model))
    if price is None:
        return Spent(tokens_in=tokens_in, tokens_out=out, attempts=1, priced=False)
    is_long = price.long_from is not None and tokens_in > price.long_from
    into = fresh * price.read + cache_written * price.write_cache + cache_read * price.read_cache
    dollars = into * (price.long_in if is_long else 1.0) + out * price.out * (
        price.long_out if is_long else 1.0
    )
    return Spent(tokens_in=tokens_in, tokens_out=out, cost_usd=dollars / _MILLION, attempts=1)
