"""
How one description becomes a method of both clients.

A descriptor stands in a class that both inherit. Read from a client that blocks it is a function that returns
the answer; from one that awaits, a function with the same arguments that returns a coroutine of it. So there
is one signature, and a type checker knows both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from functools import wraps
from typing import Any, Concatenate, Generic, Protocol, TypeVar, overload

from typing_extensions import ParamSpec, Self

from candor.errors import UnexpectedAnswer
from candor.wire.call import Call
from candor.wire.sending import Manner, Procedure, perform

P = ParamSpec("P")
T = TypeVar("T")
Row = TypeVar("Row")
Row_co = TypeVar("Row_co", covariant=True)


class Page(Protocol[Row_co]):
    """One page of a list."""

    @property
    def results(self) -> Sequence[Row_co]:
        """What is on it."""

    @property
    def next(self) -> object:
        """Where the following one begins; None: it is the last."""


class Blocking(ABC):
    """A client whose methods return when it is done."""

    _manner: Manner

    @abstractmethod
    def _run(self, procedure: Procedure[T]) -> T:
        """Carry out a procedure."""


class Awaiting(ABC):
    """A client whose methods are awaited."""

    _manner: Manner

    @abstractmethod
    async def _run(self, procedure: Procedure[T]) -> T:
        """Carry out a procedure."""


class procedure(Generic[P, T]):  # noqa: N801 - used like a decorator
    """A method that carries out a procedure; it is given the client's manner first."""

    def __init__(self, build: Callable[Concatenate[Manner, P], Procedure[T]]) -> None:
        self._build = build
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: Blocking, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: Awaiting, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Blocking | Awaiting | None, owner: type) -> Any:
        if client is None:
            return self
        build = self._build

        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return client._run(build(client._manner, *args, **kwargs))

        return wraps(build)(method)


class operation(procedure[P, T]):  # noqa: N801
    """A method that sends one call."""

    def __init__(self, build: Callable[P, Call[T]]) -> None:
        @wraps(build)
        def send(manner: Manner, /, *args: P.args, **kwargs: P.kwargs) -> Procedure[T]:
            return perform(build(*args, **kwargs), manner)

        super().__init__(send)


class listing(Generic[P, Row]):  # noqa: N801
    """A method that iterates over a list of any number of pages; each is asked for when it is needed."""

    def __init__(self, build: Callable[P, Call[Page[Row]]]) -> None:
        self._build = build
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: Blocking, owner: type) -> Callable[P, Iterator[Row]]: ...
    @overload
    def __get__(self, client: Awaiting, owner: type) -> Callable[P, AsyncIterator[Row]]: ...
    def __get__(self, client: Blocking | Awaiting | None, owner: type) -> Any:
        if client is None:
            return self
        build = self._build
        rows: Callable[[Any, Call[Page[Row]]], Any] = _rows if isinstance(client, Blocking) else _rows_awaited

        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return rows(client, build(*args, **kwargs))

        return wraps(build)(method)


def _rows(client: Blocking, call: Call[Page[Row]]) -> Iterator[Row]:
    next_call: Call[Page[Row]] | None = call
    while next_call is not None:
        page = client._run(perform(next_call, client._manner))
        yield from page.results
        next_call = following(next_call, page)


async def _rows_awaited(client: Awaiting, call: Call[Page[Row]]) -> AsyncIterator[Row]:
    next_call: Call[Page[Row]] | None = call
    while next_call is not None:
        page = await client._run(perform(next_call, client._manner))
        for row in page.results:
            yield row
        next_call = following(next_call, page)


def following(call: Call[Page[Row]], page: Page[Row]) -> Call[Page[Row]] | None:
    """Return the call of the page after this one, or None. Raises UnexpectedAnswer where it leads nowhere."""
    if page.next is None:
        return None
    if page.next == call.given().get(call.operation.page_by):
        raise UnexpectedAnswer(f"{call.operation.name} says that a page is followed by itself.")
    return Call(call.operation, {**call.arguments, call.operation.page_by: page.next})
