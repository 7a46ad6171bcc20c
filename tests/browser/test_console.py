"""The console in Chromium: pages, keys, the graph, and ten tasks of a day (SPEC H-05)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from memories.ingestion import notify
from memories.models import Capture, Contradiction, Memory, Verification
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.browser.conftest import Person
from tests.factories import make_capture, make_contradiction, make_link, make_memory, make_verification
from tests.http.console.conftest import Shown, fill

pytestmark = pytest.mark.spec("H-05")

Sit = Callable[..., Person]
MOST_CLICKS = 6


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: there is no queue here."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture
def shown(ada: Viewer) -> Shown:
    """A tenant with a row for every page."""
    return fill(ada, "Marker")


def now_of(row: Any, tenant: Viewer) -> Any:
    with tenant_scope(tenant), unit_of_work():
        return type(row).objects.get(pk=row.pk)


@pytest.mark.parametrize("role", ["operator", "auditor", "reader"])
def test_every_page_is_sound_wide_and_narrow_light_and_dark(shown: Shown, sit: Sit, role: str) -> None:
    person = sit(shown.tenant, role=role)
    pages = {name: path for name, path in shown.pages().items() if name != "console-graph-data"}
    found: dict[str, list[str]] = {}

    for name, path in pages.items():
        refused = role != "operator" and name in ("console-people", "console-keys")
        person.prefer("light")
        person.resize(1280)
        person.open(path)
        faults = person.faults() + ([] if refused or role == "reader" else person.complaints())
        person.prefer("dark")
        faults += [f"dark: {one}" for one in person.faults()]
        person.resize(390)
        faults += ["wider than 390 px"] if person.is_wider_than_the_window() else []
        found |= {name: faults} if faults else {}
        person.complaints()

    assert found == {}


def test_a_page_in_chinese_is_sound(shown: Shown, sit: Sit) -> None:
    person = sit(shown.tenant).open("/console/")
    person.click("中文")

    for path in ("/console/", shown.pages()["console-memory"], shown.pages()["console-search-asked"]):
        person.open(path)
        assert person.faults() == []
    person.open("/console/").reads("待您处理")


def test_a_script_in_a_memory_never_runs(ada: Viewer, sit: Sit) -> None:
    evil = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
    memory = make_memory(tenant=ada, content=evil)
    make_link(tenant=ada, source=memory, target=make_memory(tenant=ada, content=evil))
    person = sit(ada)

    own = [reverse(name, args=[memory.pk]) for name in ("console-memory", "console-graph")]
    for path in ("/console/", *own, reverse("console-search") + "?q=script&all=1"):
        person.open(path).reads("onerror")
        assert person.driver.title != "run"
    # And were it not escaped, the page's policy would still refuse it.
    person.driver.execute_script(
        "const s = document.createElement('script'); s.textContent = 'document.title = \"run\"';"
        "document.body.append(s)"
    )
    assert person.driver.title != "run"


def test_search_answers_in_place_and_travels_in_time(ada: Viewer, sit: Sit) -> None:
    make_memory(tenant=ada, content="The launch is on 4 May.", created_at=timezone.now())
    person = sit(ada).open(reverse("console-search"))

    person.enter("main input[name=q]", "When is the launch?").reads("The launch is on 4 May.")
    assert "q=When" in person.driver.current_url
    person.driver.execute_script(
        "const s = document.querySelector('[name=back]'); s.value = 30;"
        "s.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    assert person.find("#back-told").text != "today"
    person.click("Search", css="main button").reads("Nothing known")


def test_verify_first_is_worked_by_keyboard_with_an_undo(ada: Viewer, sit: Sit) -> None:
    memories = [make_memory(tenant=ada, content=f"Fact {number}") for number in range(3)]
    asked = [make_verification(tenant=ada, memory=one) for one in memories]
    person = sit(ada).open(reverse("console-verify"))
    first = person.find("[data-keys] > li.active").text.split("\n")[0]

    person.find("body").send_keys("c")
    person.reads("Undo")
    person.press("u")
    assert first in person.find("[data-keys] > li.active").text
    person.press("c")
    person.press("j", "k", "d")  # the next decision sends the former one
    person.open("/console/")  # and to leave the page sends the last

    def verdicts() -> list[str]:
        return sorted(filter(None, (now_of(one, ada).verdict for one in asked)))

    person.wait(lambda: verdicts() == ["confirm", "dismiss"])


def test_a_page_can_be_used_with_the_keyboard_alone(shown: Shown, sit: Sit) -> None:
    person = sit(shown.tenant).open("/console/")

    person.press(Keys.TAB)
    assert person.driver.switch_to.active_element.text == "Skip to content"
    person.press(Keys.ENTER)
    person.find("body").send_keys("/")
    person.driver.switch_to.active_element.send_keys("remembers", Keys.ENTER)
    person.reads("Marker remembers")
    reached = set()
    for _ in range(60):
        person.press(Keys.TAB)
        element = person.driver.switch_to.active_element
        reached.add(element.text)
        outline = element.value_of_css_property("outline-style")
        assert outline != "none" or element.tag_name == "body", element.get_attribute("outerHTML")
    assert {"Home", "Quarantine", "Search"} <= reached


def test_the_graph_grows_by_a_click_and_holds_500_nodes(ada: Viewer, sit: Sit) -> None:
    middle = make_memory(tenant=ada, content="Middle")
    for number in range(8):
        near = make_memory(tenant=ada, content=f"Near {number}")
        make_link(tenant=ada, source=middle, target=near, type="because")
        make_link(tenant=ada, source=near, target=make_memory(tenant=ada, content=f"Far {number}"))
    person = sit(ada).open(reverse("console-graph", args=[middle.pk]))

    person.wait(lambda: person.driver.execute_script("return picture.nodes().length") == 17)
    assert person.complaints() == []
    person.driver.execute_script(
        "for (let n = 0; n < 500; n++) picture.add([{data: {id: 'n' + n, label: 'n' + n, colour: '#888'}},"
        " {data: {id: 'e' + n, source: 'n' + n, target: 'n' + (n >> 1), label: ''}}]);"
        "picture.zoom(0.5); picture.pan({x: 10, y: 10}); picture.forceRender()"
    )
    person.click("Home").reads("Needs attention")  # it still answers


TASKS: list[tuple[str, Callable[[Person, Shown], None]]] = []


def task(told: str) -> Callable[[Callable[[Person, Shown], None]], Callable[[Person, Shown], None]]:
    """Note one of the ten tasks of docs/console.md, in its words."""

    def note(do: Callable[[Person, Shown], None]) -> Callable[[Person, Shown], None]:
        TASKS.append((told, do))
        return do

    return note


@task("Find why an answer was wrong, and mend it")
def _mend(person: Person, shown: Shown) -> None:
    person.enter("#quick", "remembers")
    person.click("Why this rank?").reads("meaning")
    person.click("Marker remembers").reads("Actions")
    person.type("textarea[name=content]", "Marker was told otherwise")
    person.click("Correct", css="button").reads("Corrected.")


@task("Settle three contradictions")
def _settle(person: Person, shown: Shown) -> None:
    for number in range(2):
        both = [make_memory(tenant=shown.tenant, content=f"{side} {number}") for side in ("Before", "After")]
        make_contradiction(tenant=shown.tenant, older=both[0], newer=both[1], entity_key=f"thing {number}")
    person.click("Arbitration").reads("thing 1")
    person.find("body").send_keys("1")
    person.press("2", "3")
    person.open("/console/")

    def verdicts() -> list[str]:
        with tenant_scope(shown.tenant), unit_of_work():
            found = Contradiction.objects.exclude(verdict=None).values_list("verdict", flat=True)
            return sorted(str(one) for one in found)

    person.wait(lambda: verdicts() == ["accept_new", "coexist", "keep_old"])


@task("Release two captures from quarantine")
def _release(person: Person, shown: Shown) -> None:
    person.click("Quarantine").reads("Marker says")
    for box in person.driver.find_elements(By.CSS_SELECTOR, "input[name=capture]"):
        person.click_on(box)
    person.click("Release", css="button").reads("2 decided.")
    with tenant_scope(shown.tenant), unit_of_work():
        assert Capture.objects.filter(state="pending").count() == 2


@task("Show an auditor who was shown a memory")
def _who_saw(person: Person, shown: Shown) -> None:
    person.enter("#quick", "remembers")
    person.click("Marker remembers").reads("Recalled for")
    person.click("Marker?").reads("Recorded answer" if "Recorded answer" in person.text else "Marker?")


@task("Confirm what may have changed")
def _confirm(person: Person, shown: Shown) -> None:
    person.click("Verify first").reads("Still true")
    person.click("Still true", css="button")
    person.open("/console/")
    person.wait(lambda: now_of(shown.verification, shown.tenant).verdict == "confirm")
    assert isinstance(shown.verification, Verification)


@task("Forget a memory for good")
def _forget(person: Person, shown: Shown) -> None:
    person.click("Memories").click("Marker forgets").reads("Actions")
    person.click("Forget …", css="button").reads("Forget this permanently?")
    person.click("Forget permanently", css="button").reads("Forgotten.")
    with tenant_scope(shown.tenant), unit_of_work():
        assert not Memory.objects.filter(pk=shown.other.pk).exists()


@task("Share a memory with everybody")
def _share(person: Person, shown: Shown) -> None:
    person.click("Memories").click("Marker remembers").click("Tags, importance, validity, sharing")
    person.type("input[name=domain]", "*").click("Share", css="button[name=shared]").reads("Done.")
    assert now_of(shown.memory, shown.tenant).shared


@task("Set up an agent and copy its configuration")
def _set_up(person: Person, shown: Shown) -> None:
    person.click("Agents").type("input[name=slug]", "quill")
    person.click("Create the agent and its key", css="button").reads("cdr_")
    person.click("Claude Code").reads("claude mcp add")


@task("See what became of each turn of a conversation")
def _session(person: Person, shown: Shown) -> None:
    person.click("Memories").click("Marker remembers").click("Full conversation").reads("Session planning")
    person.click("What happened to it").reads("Held: orders.")


@task("Check that the audit trail is intact")
def _audit(person: Person, shown: Shown) -> None:
    person.click("Audit trail").click("Verify the chain").reads("Chain intact")


@pytest.mark.parametrize(("told", "do"), TASKS, ids=[told for told, _do in TASKS])
def test_a_task_of_a_day_takes_few_clicks(shown: Shown, sit: Sit, told: str, do: Callable[..., None]) -> None:
    make_capture(tenant=shown.tenant, text="Marker says more", state="quarantined", trace=[])
    person = sit(shown.tenant).open("/console/")

    do(person, shown)

    assert 0 < person.clicks <= MOST_CLICKS
    assert person.complaints() == []
