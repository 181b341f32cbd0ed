"""Opens pages in the installed Chromium with playwright, a Python package that pip installs."""

import contextlib
import os
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

from ..environment import add_library
from ..messages import Failure

#: The possible names of Chromium's executable.
NAMES = ("chromium", "chromium-browser", "google-chrome")


class Opened:
    """An open page. Records errors, console messages, dialogs and requests of the page as complaints."""

    def __init__(self, page: Any, address: str) -> None:  # noqa: ANN401 (playwright may not be installed)
        self.page = page
        self.complaints: list[str] = []
        self.address = address
        page.on("console", lambda message: self.complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self._refuse(dialog))
        page.on("request", lambda request: self._note(request.url, address))
        page.goto(address)

    def _refuse(self, dialog: Any) -> None:  # noqa: ANN401
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _note(self, url: str, address: str) -> None:
        if url.partition("#")[0] != address.partition("#")[0] and not url.startswith("data:"):
            self.complaints.append(f"request: {url}")

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401
        """Returns the value of a JavaScript expression."""
        return self.page.evaluate(expression)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def wait_for_function(self, name: str) -> None:
        """Waits until the page shows this function, because a link or the Back button takes effect with a delay."""
        self.page.locator("#function h2", has_text=name).wait_for()

    def texts(self, selector: str) -> list[str]:
        return [str(text) for text in self.page.locator(selector).all_inner_texts()]

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()


class Browser:
    def __init__(self, browser: Any) -> None:  # noqa: ANN401
        self._browser = browser

    @contextlib.contextmanager
    def open(
        self, path: pathlib.Path, scheme: str = "light", width: int = 1440, fragment: str = ""
    ) -> Iterator[Opened]:
        """Opens the page. When the page is closed, raises a `Failure` if the browser has reported an error."""
        height = 900 if width > 1100 else 740
        page = self._browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        opened = Opened(page, path.absolute().as_uri() + fragment)
        try:
            yield opened
        finally:
            page.close()
        if opened.complaints:
            raise Failure(f"{path.name}: {opened.complaints[0]}")


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise Failure("no Chromium found: on Debian, apt-get install chromium")
    add_library("playwright")
    from playwright.sync_api import Error, sync_playwright

    # If the user is root, Chromium starts only without its sandbox.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=options)
        try:
            yield Browser(running)
        except Error as error:
            raise Failure(f"a check of the page failed: {error}") from None
        finally:
            running.close()
