"""What people, agents, workers and chance do in a simulation: a step's kind → how it is done."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID, uuid4

from django.http import HttpResponse

from evolution.sleep import SLEEP_TASK
from memories.tasks import sweep
from tests.simulation.outside import WEATHER, Message
from tests.simulation.plan import Step
from tests.simulation.world import CALLERS, RANKS, RETRIED, Deed, House, Said, Shown, World, ask

FORMS: Final = (
    "Root cause: {mark} failed because its disk was full at night.",
    "The limit of {mark} is {number} requests a minute.",
    "We decided that {mark} moves to Lisbon.",
    "I live in {mark}.",
    "My favourite editor is {mark}.",
    "I live in {mark}.",
    "Please renew the certificate of {mark} by Friday.",
    "The wifi of floor {mark} is slow in winter.",
)
"""What people say; {mark} is a word that nothing else has, but in REPEATED, which say the same again."""

REPEATED: Final = 7

INVENTED: Final = ("My task is the audit of {mark}.", "The owner of {mark} is Dana.")
"""What agents say of themselves; nobody has told them."""

SHEET: Final = "{mark} is in the cellar, beside the pump that {other} feeds. It is looked after monthly.\n\n"
PASSAGES: Final = 20
"""Short enough to be taken beside others: long texts wait for each other in Python, and give no turn."""

QUESTIONS: Final = (
    "Why did it fail at night?", "What is the limit of requests?", "Where do I live?", "What are my tasks?",
    "What moves to Lisbon?", "Which floor has slow wifi?",
)  # fmt: skip

PERSONS: Final = ("kim", "lee")
GONE: Final = {200, 404, 409}
MAY_BE_OUT: Final = {200, 201, 400, 404, 409, 503}
"""Of what needs the embedder."""


def mark_of(house: House, kind: str, number: int) -> str:
    """Return a word of the tenant that nothing else has. kind: a letter."""
    return f"q{house.letter}{kind}{number}z"


def say(world: World, step: Step, house: House) -> None:
    """Let a person or an agent say something; some of it for one end user alone."""
    pick, form, number = step.args["pick"], step.args["form"] % len(FORMS), 100 + len(house.said)
    mark = mark_of(house, "r", step.args["value"]) if form == REPEATED else mark_of(house, "x", number)
    by = ("ines", "ines", "vera", "nils")[pick % 4]
    body = {"text": FORMS[form].format(mark=mark, number=number), "role": "user"}
    body["speaker"] = ("Ines", "Tom")[pick % 2]
    if step.args["also"] < 0.2:
        by, mark = "nils" if by == "ines" else by, mark_of(house, "i", number)
        text = INVENTED[form % len(INVENTED)].format(mark=mark)
        body |= {"text": text, "role": "assistant", "speaker": by.title()}
    elif step.args["also"] < 0.4:
        person = PERSONS[pick % 2]
        mark = mark_of(house, person[0], number)
        body |= {"text": FORMS[form].format(mark=mark, number=number), "person": person}
    body["classification"] = RANKS[min(step.args["rank"], CALLERS[by])]
    _capture(world, house, by, body, mark, session=f"{by}-{pick % 3}")


def echo(world: World, step: Step, house: House) -> None:
    """Let an agent say what a recall has shown it."""
    shown = [one for one in house.shown if one.results and not one.session.startswith("ines")]
    if not shown:
        return
    one = shown[step.args["pick"] % len(shown)]
    result = one.results[step.args["pick"] % len(one.results)]
    by = one.session.split("-")[0]
    body: dict[str, Any] = {"text": result["content"], "role": "assistant", "speaker": by.title()}
    body |= {"classification": "public"} | ({"person": one.person} if one.person else {})
    if step.args["also"] < 0.5:
        body["references"] = [result["id"]]
    _capture(world, house, by, body, "", session=one.session)


def _capture(world: World, house: House, by: str, body: dict[str, Any], mark: str, *, session: str) -> None:
    body |= {"session": session, "clock": datetime.now(UTC).isoformat()}
    read = [
        RANKS.index(result["classification"])
        for one in house.shown
        if one.session == session and one.person in ("", body.get("person", ""))
        for result in one.results
    ]
    said = Said(
        body=body, key=f"key-{len(house.said)}", by=by, mark=mark,
        least=max(read, default=0), at=datetime.now(UTC),
    )  # fmt: skip
    house.said.append(said)
    _send(world, house, said)


def _send(world: World, house: House, said: Said) -> None:
    def answer(response: HttpResponse) -> None:
        if response.status_code == 202:
            said.id = UUID(response.json()["id"])
            # What took a request longer than a key is kept is another request.
            said.answers += [str(said.id)] if datetime.now(UTC) < said.at + RETRIED else []

    headers = {"Idempotency-Key": f"{house.letter}-{said.key}"}
    asked = house.callers[said.by]
    world.request(
        lambda: asked.post("captures", said.body, **headers), answer,
        name=f"capture {said.key}", may={202, 409, 429, 503},
    )  # fmt: skip


def retry(world: World, step: Step, house: House) -> None:
    """Send one of the last requests again, under its key."""
    lately = [one for one in house.said if one.at > datetime.now(UTC) - RETRIED]
    if lately:
        _send(world, house, lately[-1 - step.args["pick"] % min(3, len(lately))])


def document(world: World, step: Step, house: House) -> None:
    """Keep a document of a few passages, or another version of one."""
    number = len(house.documents)
    text = "".join(
        SHEET.format(mark=mark_of(house, "d", 100 * number + place), other=f"line {place}")
        for place in range(PASSAGES)
    )
    body = {"source": f"handbook-{step.args['pick'] % 2}", "title": f"Handbook {number}", "text": text}
    house.documents.append(text)
    _ask_for(world, house, "documents", body, {200, 202, 409, 429, 503})


def recall(world: World, step: Step, house: House) -> None:
    """Ask; now and then for an end user."""
    pick = step.args["pick"]
    by = tuple(CALLERS)[pick % len(CALLERS)]
    session, person = f"{by}-{pick % 3}", PERSONS[pick % 2] if step.args["also"] < 0.3 else ""
    asked = house.said[pick % len(house.said)].body["text"] if house.said and pick % 3 else ""
    body = {"query": asked or QUESTIONS[pick % len(QUESTIONS)], "k": 5, "session": session}
    body |= {"person": person} if person else {}

    def answer(response: HttpResponse) -> None:
        if response.status_code == 200:
            told = response.json()
            house.shown.append(
                Shown(
                    ceiling=CALLERS[by], session=session, person=person,
                    id=UUID(told["recall_id"]), results=told["results"],
                )
            )  # fmt: skip

    world.request(lambda: house.callers[by].post("recall", body), answer, name="recall", may={200, 429, 503})


def judge(world: World, step: Step, house: House) -> None:
    """Let who asked say whether the first result helped; of the last recalls, so that verdicts meet."""
    shown = [one for one in house.shown if one.results]
    if not shown:
        return
    one = shown[-1 - step.args["pick"] % min(2, len(shown))]
    outcome = ("helpful", "unhelpful", "used")[step.args["pick"] % 3]
    body: dict[str, Any] = {"memory": one.results[0]["id"], "outcome": outcome}
    headers = {"Candor-Person": one.person} if one.person else {}
    path, asking = f"recall/{one.id}/feedback", house.callers[one.session.split("-")[0]]
    world.request(
        lambda: asking.post(path, body, **headers), lambda _: None, name="feedback", may={200, 201, 404, 409}
    )


def forget(world: World, step: Step, house: House) -> None:
    """Have a memory forgotten: be told what goes, and say so."""
    memory = _some_memory(step, house)
    if memory is None:
        return
    asking, path, seen = house.callers["ines"], f"memories/{memory}/forget", dict[str, str]()

    def work() -> HttpResponse:
        first = asking.post(path, {"reason": "asked"})
        if first.status_code != 200:
            return first
        seen["text"] = str(asking.get(f"memories/{memory}").json().get("content", ""))
        return asking.post(path, {"reason": "asked", "hash": first.json()["hash"]})

    def answer(response: HttpResponse) -> None:
        if response.status_code == 200:
            house.gone[memory] = seen["text"]

    world.request(work, answer, name="forget", may=GONE)


def forget_person(world: World, step: Step, house: House) -> None:
    """Have all of an end user forgotten."""
    person, asking = PERSONS[step.args["pick"] % 2], house.callers["ines"]
    body = {"person": person, "reason": "asked"}

    def work() -> HttpResponse:
        first = asking.post("persons/forget", body)
        if first.status_code != 200:
            return first
        return asking.post("persons/forget", body | {"hash": first.json()["hash"]})

    def answer(response: HttpResponse) -> None:
        if response.status_code == 200:
            house.gone_persons[person] = datetime.now(UTC)

    world.request(work, answer, name="persons/forget", may=GONE)


def withdraw(world: World, step: Step, house: House) -> None:
    """Take back what an agent wrote in the last hours."""
    since = (datetime.now(UTC) - timedelta(hours=2)).isoformat()
    body = {"agent": ("vera", "nils")[step.args["pick"] % 2], "since": since, "reason": "compromised"}

    def answer(response: HttpResponse) -> None:
        if response.status_code in (200, 201) and response.json()["id"]:
            house.withdrawn.append(response.json()["id"])

    world.request(
        lambda: house.callers["ines"].post("withdrawals", body), answer,
        name="withdrawals", may={200, 201, 409},
    )  # fmt: skip


def give_back(world: World, step: Step, house: House) -> None:
    """Give back what was taken back."""
    if house.withdrawn:
        path = f"withdrawals/{house.withdrawn[step.args['pick'] % len(house.withdrawn)]}/revert"
        _ask_for(world, house, path, {"reason": "a mistake"}, GONE)


def correct(world: World, step: Step, house: House) -> None:
    """Let a person say what is right instead."""
    if memory := _some_memory(step, house):
        text = FORMS[step.args["form"] % 3].format(
            mark=mark_of(house, "c", step.args["pick"]), number=step.args["pick"]
        )
        _ask_for(world, house, f"memories/{memory}/correct", {"content": text}, MAY_BE_OUT)


def reinstate(world: World, step: Step, house: House) -> None:
    """Let a superseded row hold again."""
    if memory := _some_memory(step, house):
        _ask_for(world, house, f"memories/{memory}/reinstate", {"reason": "seen"}, GONE)


def classify(world: World, step: Step, house: House) -> None:
    """Raise a row's class."""
    if memory := _some_memory(step, house):
        body = {"classification": RANKS[1 + step.args["pick"] % 3], "reason": "seen"}
        _ask_for(world, house, f"memories/{memory}/classify", body, GONE)


def archive(world: World, step: Step, house: House) -> None:
    """Archive a row, or bring it back."""
    if memory := _some_memory(step, house):
        verb = "archive" if step.args["also"] < 0.5 else "unarchive"
        _ask_for(world, house, f"memories/{memory}/{verb}", {"reason": "seen"}, GONE)


def settle(world: World, step: Step, house: House) -> None:
    """Let a person say which of two values holds."""
    sql = "SELECT id FROM contradiction WHERE tenant_id = %(tenant)s ORDER BY opened_at"
    if rows := ask(house, sql):
        verdict = ("keep_old", "accept_new", "coexist")[step.args["pick"] % 3]
        path = f"contradictions/{rows[step.args['pick'] % len(rows)][0]}/resolve"
        _ask_for(world, house, path, {"verdict": verdict, "reason": "asked"}, GONE)


def _some_memory(step: Step, house: House) -> UUID | None:
    sql = "SELECT id FROM memory WHERE tenant_id = %(tenant)s ORDER BY created_at, content"
    rows = ask(house, sql)
    return rows[step.args["pick"] % len(rows)][0] if rows else None


def _ask_for(world: World, house: House, path: str, body: Mapping[str, Any], may: set[int]) -> None:
    asking = house.callers["ines"]
    world.request(lambda: asking.post(path, body), lambda _: None, name=path, may=may)


def work(world: World, step: Step, _house: House) -> None:
    """Let a worker have a message; one in four will come again."""
    if waiting := world.broker.waiting:
        world.deliver(step.args["pick"] % len(waiting), twice=step.args["also"] < 0.25)


def rest(world: World, step: Step, _house: House) -> None:
    """Let all that was begun or sent come to its end."""
    world.rest(Random(f"rest {world.seed} {step.number}"))


def lose(world: World, step: Step, _house: House) -> None:
    """Lose a message."""
    if waiting := world.broker.waiting:
        waiting.pop(step.args["pick"] % len(waiting))


def kill(world: World, step: Step, _house: House) -> None:
    """Kill somebody at work; the broker has a worker's message still, or has lost it, too."""
    if ready := [one for one in world.stage.ready if one.name != "after"]:
        world.kill(ready[step.args["pick"] % len(ready)], comes_again=step.args["also"] < 0.7)


def night(world: World, _step: Step, house: House) -> None:
    """Ask for a night of the tenant."""
    world.broker.waiting.append(Message(SLEEP_TASK, (str(house.viewer.tenant_id), str(uuid4()))))


def sweep_up(world: World, _step: Step, _house: House) -> None:
    """Let the beat look for what nobody works on."""
    world.stage.enter("beat", sweep)


def jump(world: World, step: Step, _house: House) -> None:
    """Let time pass, and the beat with it, as a rule."""
    world.jump(step.args["seconds"])
    if step.args["also"] < 0.6:
        world.stage.enter("beat", sweep)


def embedder(_world: World, _step: Step, _house: House) -> None:
    """Let the embedder go out, or come back."""
    WEATHER.embedder_out = not WEATHER.embedder_out


def broker(_world: World, _step: Step, _house: House) -> None:
    """Let the broker go out, or come back."""
    WEATHER.broker_out = not WEATHER.broker_out


def model(_world: World, step: Step, _house: House) -> None:
    """Let the language model be honest, lie, or go out."""
    WEATHER.model = ("honest", "lying", "out")[step.args["pick"] % 3]


DEEDS: Final[Mapping[str, Deed]] = {
    "say": say, "retry": retry, "echo": echo, "document": document, "recall": recall, "judge": judge,
    "forget": forget, "forget_person": forget_person, "withdraw": withdraw, "give_back": give_back,
    "correct": correct, "reinstate": reinstate, "classify": classify, "archive": archive, "settle": settle,
    "work": work, "rest": rest, "lose": lose, "kill": kill, "night": night, "sweep": sweep_up, "jump": jump,
    "embedder": embedder, "broker": broker, "model": model,
}  # fmt: skip
