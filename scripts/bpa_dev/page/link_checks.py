"""Checks links that open a function, a branch or a source line on the page."""

from .browser import Opened
from .checks import expect, expect_in


def fragment(page: Opened) -> str:
    return str(page.evaluate("location.hash"))


def link_opens_a_line(page: Opened, name: str, line: int) -> None:
    expect("the linked function", page.text("#function h2"), name)
    expect("the linked line", page.evaluate("document.querySelector('#source .row.marked').dataset.line"), str(line))
    expect("the selected function in the list", page.text('#list [aria-selected="true"] .name'), name)


def path_is_whole(page: Opened, name: str, path: str) -> None:
    page.page.locator("#list .row", has_text=name).click()
    expect_in("the relative path of a function", path, page.text("#function"))


def back_and_forward(page: Opened) -> None:
    page.page.locator("#list .row", has_text="apart").click()
    page.press("n")
    apart = fragment(page)
    expect_in("the link to a branch", "branch=0", apart)
    page.page.locator("#list .row", has_text="total").click()
    expect_in("the link to a function", "f=total", fragment(page))
    page.page.go_back()
    page.wait_for_function("apart")
    expect("the function after going back", page.text("#function h2"), "apart")
    expect("the link after going back", fragment(page), apart)
    expect_in("the branch after going back", "a == 0", page.text("#detail"))
    page.page.go_forward()
    page.wait_for_function("total")
    expect("the function after going forward", page.text("#function h2"), "total")
    page.page.reload()
    page.wait_for_function("total")
    expect("the function after a reload", page.text("#function h2"), "total")


def line_number_is_a_link(page: Opened) -> None:
    page.page.locator("#list .row", has_text="total").click()
    number = page.page.locator("#source a.number", has_text="9")
    expect_in("the link of a line", "f=total&line=9", str(number.first.get_attribute("href")))
    number.first.click()
    page.page.locator("#source .row.marked[data-line='9']").wait_for()
    link_opens_a_line(page, "total", 9)


def line_selects_its_condition(page: Opened) -> None:
    """Checks the link to a line with a condition and with a call that may throw. The call is in a folded group."""
    expect_in("the selected branch", "== 7", page.text('#panel .row[aria-selected="true"]'))


def unknown_link_opens_the_first(page: Opened) -> None:
    expect("number of open functions", page.count("#function h2"), 1)
    expect("number of selected functions", page.count('#list [aria-selected="true"]'), 1)
