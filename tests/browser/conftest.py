"""
A browser: Debian's Chromium, headless, with a profile of its own.

Where there is none (`apt install chromium chromium-driver`), or CANDOR_CHROMIUM names none, these tests are
left out and say so.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from console.links import make_link
from tenants.scope import Viewer
from tests.client.conftest import ada, address  # noqa: F401 - fixtures
from tests.factories import make_membership, make_tenant_grant, make_user

CHROMIUM: Final = os.environ.get("CANDOR_CHROMIUM") or shutil.which("chromium")
DRIVER: Final = shutil.which("chromedriver")
SWITCHES: Final = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
AXE: Final = (Path(__file__).parent / "vendor" / "axe-4.14.1.min.js").read_text(encoding="utf-8")
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PATIENCE_SECONDS: Final = 10.0


class Person:
    """Somebody at the console, who counts their clicks."""

    def __init__(self, driver: Any, service: str) -> None:
        self.driver, self._address = driver, service
        self.clicks = 0

    def open(self, path: str) -> "Person":
        """Go to a page by its address, as by a bookmark, and let it fetch its parts."""
        self.driver.get(self._address + path)
        self.wait(lambda: not self.driver.find_elements(By.CSS_SELECTOR, ".htmx-request"))
        return self

    @property
    def text(self) -> str:
        """What the page says."""
        return str(self.driver.find_element(By.TAG_NAME, "body").text)

    def find(self, css: str) -> WebElement:
        """Return the first element, waited for."""
        found: WebElement = self.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, css))[0]
        return found

    def click(self, words: str, *, css: str = "a, button, summary, input[type=checkbox]") -> "Person":
        """Click the first thing with these words; one click."""

        def done() -> bool:
            every = self.driver.find_elements(By.CSS_SELECTOR, css)
            found = [one for one in every if one.is_displayed() and words in (one.text or "")]
            if found:
                self._press(found[0])
            return bool(found)

        self.wait(done)
        self.clicks += 1
        return self

    def click_on(self, element: WebElement) -> "Person":
        """Click an element; one click."""
        self._press(element)
        self.clicks += 1
        return self

    def _press(self, element: WebElement) -> None:
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def type(self, css: str, words: str) -> "Person":
        """Fill a field in, in place of what it held; no click: the tab key leads there."""
        field = self.find(css)
        field.clear()
        field.send_keys(words)
        return self

    def press(self, *keys: str) -> "Person":
        """Press keys where the focus is."""
        self.driver.switch_to.active_element.send_keys(*keys)
        return self

    def enter(self, css: str, words: str) -> "Person":
        """Fill a field in and press Enter."""
        self.type(css, words)
        return self.press(Keys.ENTER)

    def wait(self, look: Callable[[], Any]) -> Any:
        """Return what is looked for, once it is there. Raises AssertionError after a while."""
        until = time.monotonic() + PATIENCE_SECONDS
        while not (found := self._look(look)):
            assert time.monotonic() < until, f"waited in vain on {self.driver.current_url}:\n{self.text}"
            time.sleep(0.05)
        return found

    def _look(self, look: Callable[[], Any]) -> Any:
        # A part of the page, or all of it, is just put in place of another.
        with suppress(WebDriverException):
            return look()
        return None

    def reads(self, words: str) -> None:
        """Wait until the page says so."""
        self.wait(lambda: words in self.text)

    def complaints(self) -> list[str]:
        """Return what the browser complained of since it was asked last, what the policy refused too."""
        return [str(one["message"]) for one in self.driver.get_log("browser") if one["level"] == "SEVERE"]

    def faults(self) -> list[str]:
        """Return what axe finds against WCAG 2.2 AA on the page, the serious and critical."""
        self.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # axe is no file of the page's
        self.driver.execute_script(AXE)
        told = self.driver.execute_async_script(
            "const done = arguments[1]; axe.run(document, {runOnly: arguments[0]}).then(done)", RULES
        )
        self.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
        grave = [one for one in told["violations"] if one["impact"] in ("serious", "critical")]
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in grave]

    def is_wider_than_the_window(self) -> bool:
        """Return whether the page has to be scrolled sideways."""
        return bool(self.driver.execute_script("return document.documentElement.scrollWidth > innerWidth"))

    def resize(self, width: int, height: int = 900) -> None:
        """Make the window as wide, in CSS pixels, as a phone's or a desk's."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def prefer(self, scheme: str) -> None:
        """Prefer light or dark."""
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests."""
    if not (CHROMIUM and DRIVER):
        pytest.skip("no Chromium here: apt install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def sit(chromium: Any, address: str) -> Iterator[Callable[..., Person]]:  # noqa: F811 - the fixture
    """Return how a person of a tenant comes in: by a link that works once."""

    def come_in(tenant: Viewer, *, role: str = "operator", unfiled: tuple[str, ...] = ("view",)) -> Person:
        user = make_user(f"{role}-{tenant.tenant_id}")
        make_membership(tenant=tenant, user=user, role=role, ceiling=3)
        for right in unfiled if role != "operator" else ():
            make_tenant_grant(tenant=tenant, user=user, right=right)
        person = Person(chromium, address)
        person.resize(1280)
        person.prefer("light")
        person.open(f"/console/enter?link={make_link(user)}").click("Log in").reads("Two-minute tour")
        person.complaints()
        person.clicks = 0
        return person

    yield come_in
    chromium.get("about:blank")
    chromium.execute_cdp_cmd("Network.clearBrowserCookies", {})
