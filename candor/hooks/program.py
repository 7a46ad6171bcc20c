"""
`candor hook EVENT`: what a coding agent starts when a session begins, stops, or is about to be compacted.

It never stands in the agent's way: it ends within five seconds with exit code 0 and a silent standard error,
whatever happens. What it could not send, the next hook sends. That memory is out is told once a session, so
that a dead memory does not look like an empty one.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NoReturn

from candor.client import Candor
from candor.errors import CandorError
from candor.hooks.delivery import LONGEST_SESSION, Delivery
from candor.hooks.payload import AGENTS, Event, answer_of, event_of, read_payload
from candor.hooks.question import question_of
from candor.hooks.state import (
    SessionFile,
    all_sessions,
    drop_old_sessions,
    load_session,
    save_session,
    state_folder,
    write_note,
)
from candor.models import Context
from candor.profiles import NoProfile, Profile, choose
from candor.wire.sending import Retries

LIMIT: Final = 4.3
"""Seconds of the process's age at which it says what it knows and ends."""
LAST: Final = 4.7
"""Seconds at which it ends without a word: saying it hung, too."""
WORK: Final = 3.8
"""Seconds after which no new request is begun."""
ONE_ANSWER: Final = 3.0
"""Seconds for one answer of the service."""
_MOST_INPUT: Final = 8_388_608
_MOST_OTHERS: Final = 20
START_TOKENS: Final = 800
PROMPT_TOKENS: Final = 400
_SHORTEST_PROMPT: Final = 12
_LONGEST_PROMPT: Final = 2_000

OUT: Final = (
    "Candor's memory is out of reach: that it tells nothing here does not mean that nothing is known."
)
NOT_SET_UP: Final = "Candor's memory is not set up here, so it tells nothing: `candor login` sets it up."
PARTLY_OUT: Final = (
    "Candor's memory could not look everywhere: what it does not tell may be known all the same."
)


class Voice:
    """Standard output, for one answer: whoever speaks first, the work or the clock."""

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def say(self, text: str) -> bool:
        """Write the answer, unless there was one; return whether. A deaf agent is left alone."""
        if not self._turn.acquire(blocking=False) or not text:
            return False
        with suppress(OSError):
            left = text.encode()
            while left:
                left = left[os.write(1, left) :]
        return True


@dataclass(frozen=True)
class Options:
    """What the hook was started with."""

    event: Event
    agent: str
    project: str
    profile: str | None
    person: str | None


class Hook:
    """One start of a hook."""

    def __init__(self, options: Options, *, folder: Path, started: float, voice: Voice) -> None:
        self._options = options
        self._folder = folder
        self._started = started
        self._voice = voice
        self._payload = read_payload(b"", agent=options.agent, environment={})
        self._state = SessionFile("")

    def run(self, raw: bytes, environment: Mapping[str, str]) -> None:
        """Do what the event asks for."""
        self._payload = read_payload(raw, agent=self._options.agent, environment=environment)
        self._state = load_session(self._folder, self._payload.session)
        if self._payload.transcript:
            self._state = replace(self._state, transcript=self._payload.transcript)
        if self._options.event in ("session-start", "prompt"):
            self._tell(environment)
        elif self._payload.session and self._state.transcript:
            self._send(environment)
        else:
            write_note(self._folder, self._options.event, "names no session and transcript: nothing was sent")

    def out_of_time(self) -> None:
        """Say what there is to say when time is up; called from beside the work."""
        answer = self._answer(self._with_line("", OUT))
        is_told = self._voice.say(answer)
        write_note(self._folder, self._options.event, self._payload.session[:12], "out of time")
        if is_told:
            self._note_told()

    def _client(self, environment: Mapping[str, str]) -> tuple[Candor, Profile]:
        profile = choose(self._options.profile, environment)
        person = self._options.person or profile.person
        left = max(0.2, self._started + WORK - time.monotonic())
        client = Candor(
            profile.url,
            profile.key,
            person=person,
            retries=Retries(attempts=1),
            timeout=min(ONE_ANSWER, left),
        )
        return client, replace(profile, person=person)

    def _tell(self, environment: Mapping[str, str]) -> None:
        """Tell what memory knows, or that it is out."""
        query = self._question()
        if not query:
            return
        try:
            client, _ = self._client(environment)
            text, line = self._context(client, query)
        except Exception as error:  # noqa: BLE001 - an address that is none breaks in httpx's own ways
            write_note(self._folder, self._options.event, f"{type(error).__name__}: {error}")
            text, line = "", _line_of(error)
        self._voice.say(self._answer(self._with_line(text, line)))
        if line:
            self._note_told()
        else:
            self._save(self._state)
        if self._options.event == "session-start":
            drop_old_sessions(self._folder)

    def _question(self) -> str:
        if self._options.event == "session-start":
            return question_of(Path(self._payload.folder or Path.cwd()))
        prompt = self._payload.prompt.strip()
        is_command = prompt.startswith("/")
        return "" if is_command or len(prompt) < _SHORTEST_PROMPT else prompt[:_LONGEST_PROMPT]

    def _context(self, client: Candor, query: str) -> tuple[str, str]:
        """Return the text to tell, and the line that says what is out; either may be empty."""
        more: dict[str, Any] = {"project": self._options.project} if self._options.project else {}
        if self._options.event == "session-start" and more:
            more["min_relevance"] = 0.0  # a project's own memories are of use, whatever its folder is called
        told: Context = client.context(
            query,
            session=self._payload.session[:LONGEST_SESSION],
            budget_tokens=PROMPT_TOKENS if self._options.event == "prompt" else START_TOKENS,
            **more,
        )
        if told.withheld:
            return "", f"Candor's memory is withheld: {told.withheld}"
        return ("" if told.nothing_known else told.text), (PARTLY_OUT if told.degraded else "")

    def _with_line(self, text: str, line: str) -> str:
        """Return the text with the line, where the agent was not told it in this session."""
        fenced = f"<memory_context>{line}</memory_context>" if line and not self._state.told_out else ""
        return "\n".join(filter(None, (text, fenced)))

    def _answer(self, text: str) -> str:
        if self._options.event not in ("session-start", "prompt"):
            return ""
        return answer_of(self._payload.agent, self._options.event, text)

    def _note_told(self) -> None:
        self._state = replace(self._state, told_out=True)
        self._save(self._state)

    def _save(self, state: SessionFile) -> None:
        if not state.session:
            return
        try:
            save_session(self._folder, state)
        except OSError as error:
            write_note(self._folder, f"not noted: {error}")

    def _send(self, environment: Mapping[str, str]) -> None:
        """Send what is new of this session, then what others of the same set-up left behind."""
        try:
            client, profile = self._client(environment)
        except CandorError as error:
            write_note(self._folder, self._options.event, f"{type(error).__name__}: {error}")
            self._save(replace(self._state, behind=True, failed=str(error)[:200]))
            return
        scope = self._scope(profile)
        delivery = Delivery(client, self._folder, self._options.project, self._started + WORK)
        now = delivery.bring_up_to_date(replace(self._state, scope=scope))
        if not now.failed:
            for other in list(all_sessions(self._folder))[:_MOST_OTHERS]:
                if other.behind and other.scope == scope and other.session != now.session:
                    delivery.bring_up_to_date(other)

    def _scope(self, profile: Profile) -> str:
        """Return a digest of whose the turns are: what others left behind is sent as it would have been."""
        parts = (profile.url, profile.key, profile.person or "", self._options.project)
        return sha256("\0".join(parts).encode()).hexdigest()[:32]


def _line_of(error: Exception) -> str:
    return NOT_SET_UP if isinstance(error, NoProfile) else OUT


def options(environment: Mapping[str, str] = os.environ) -> argparse.ArgumentParser:
    """Return what the program takes; the environment has what is left out."""
    parser = argparse.ArgumentParser(
        prog="candor hook", description="Started by coding agents; `candor hooks install` sets it up."
    )
    add = parser.add_argument
    add("event", help="session-start, prompt, stop, session-end or pre-compact; or as the agent spells it")
    add("--agent", help=f"who starts it: {', '.join(AGENTS)}; else it is told from what it says", default="")
    add("--profile", help="which set-up; else CANDOR_URL and CANDOR_KEY, or the one in use")
    add("--person", help="the end user whom the agent talks with", default=environment.get("CANDOR_PERSON"))
    add("--project", help="of which all is", default=environment.get("CANDOR_PROJECT", ""))
    return parser


def _read_options(words: Sequence[str], environment: Mapping[str, str]) -> Options | None:
    """Return the options; None where there is nothing to do: an exit code of 2 would stop the agent."""
    given, _ = options(environment).parse_known_args(words)
    event = event_of(given.event)
    if event is None:
        return None
    return Options(event, given.agent, given.project or "", given.profile, given.person)


def main(words: Sequence[str], environment: Mapping[str, str] = os.environ) -> NoReturn:
    """Run a hook and end the process with 0."""
    if not words or "--help" in words:
        options(environment).print_help()
        sys.exit(0)
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # warnings of ours are no words for a user
    started = time.monotonic() - _age()
    folder = state_folder(environment)
    with suppress(BaseException):
        given = _read_options(words, environment)
        if given is not None:
            _run(Hook(given, folder=folder, started=started, voice=Voice()), folder, started, environment)
    sys.stdout.flush()
    os._exit(0)


def _run(hook: Hook, folder: Path, started: float, environment: Mapping[str, str]) -> None:
    _at(started + LIMIT, hook.out_of_time)
    _at(started + LAST, lambda: None)
    try:
        raw = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_MOST_INPUT)
        hook.run(raw, environment)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is not the agent's trouble
        write_note(folder, f"{type(error).__name__}: {error}")


def _at(moment: float, do: Any) -> None:
    """Do it at a moment, and end the process."""

    def end() -> None:
        try:
            do()
        finally:
            os._exit(0)

    timer = threading.Timer(max(0.0, moment - time.monotonic()), end)
    timer.daemon = True
    timer.start()


def _age() -> float:
    """Return for how many seconds the process is there: starting Python counts, too."""
    try:
        since_boot = time.clock_gettime(time.CLOCK_BOOTTIME)
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return max(0.0, since_boot - ticks / os.sysconf("SC_CLK_TCK"))
    except (AttributeError, OSError, ValueError, IndexError):
        return time.process_time()  # not Linux: at least what it has worked
