"""Checks of the lists of functions and branches: search, order, filter, folding."""

from .browser import Opened
from .checks import expect, expect_in


def names(page: Opened) -> list[str]:
    return page.texts("#list .row .name")


def search_and_selection_agree(page: Opened) -> None:
    page.page.locator("#list .row", has_text="total").click()
    page.page.fill("#search", "apart")
    expect("the functions that a search finds", names(page), ["apart"])
    expect("the displayed function after a search", page.text("#function h2"), "total")
    expect("number of selected rows after a search", page.count('#list [aria-selected="true"]'), 0)
    page.page.fill("#search", "no such name")
    expect("number of functions after a search for an unknown name", page.count("#list .row"), 0)
    page.page.fill("#search", "")
    expect("number of functions after the search text is deleted", page.count("#list .row"), 2)
    expect("the selected row", page.text('#list [aria-selected="true"] .name'), "total")


def equal_names_have_files(page: Opened, wanted: list[str]) -> None:
    expect("functions of two files with one name", sorted(set(names(page)) & set(wanted)), wanted)


def functions_have_orders(page: Opened) -> None:
    orders = page.texts("#order option")
    expect("the default order", orders[0], "branches predicted by a rule")
    expect("the last order", orders[-1], "static estimate of time")
    page.page.select_option("#order", "name")
    shown = names(page)
    expect("functions by name", shown, sorted(shown))
    page.page.select_option("#order", "source")
    lines = [int(text.rpartition(":")[2]) for text in page.texts("#list .row .facts")[:3]]
    expect("functions by line", lines, sorted(lines))
    page.page.select_option("#order", "share")
    expect_in("the estimated time of a function, in percent", "% estimated", page.text("#list .row .facts"))
    expect_in("the facts of a function", "static estimate", page.text("#function"))
    expect_in(
        "the description of the order", "49% of the measured time", str(page.page.get_attribute("#order", "title"))
    )
    widths = page.evaluate("[...document.querySelectorAll('#list .meter')].map((meter) => meter.clientWidth)")
    expect("number of distinct bar widths", len(set(widths)), 1)


def branches_of_the_program(page: Opened) -> None:
    page.page.locator("#left-tabs button", has_text="Branches").click()
    expect_in("the order of branches", "static estimate", page.text("#order option:first-child"))
    count = page.count("#list .row .where")
    expect("the program has more than 3 branches", count > 3, True)
    rules = page.texts("#filter option")
    expect_in("the rules of the filter", "constant", " ".join(rules))
    page.page.select_option("#filter", "constant")
    expect("the filter selects some branches", 0 < page.count("#list .row .where") < count, True)
    page.click("#list .row")
    expect_in("the open branch", "predicted by: constant", page.text("#detail"))
    expect("number of selected rows", page.count('#list [aria-selected="true"]'), 1)


def system_code_is_folded(page: Opened) -> None:
    page.page.locator("#list .row", has_text="grow(").first.click()
    folds = page.texts("#panel .fold")
    expect_in("the folded rows", "in system headers", " ".join(folds))
    expect_in("the folded rows", "exception paths", " ".join(folds))
    before = page.count("#panel [data-branch]")
    own = page.texts("#panel [data-branch] .what .quiet")
    expect("visible branches of system headers", [place for place in own if "basic_string" in place], [])
    chips = page.count("#source .chip")
    page.page.locator("#panel .row", has_text="in system headers").click()
    expect("the list has more branches after unfolding", page.count("#panel [data-branch]") > before, True)
    expect("the source view shows more branches after unfolding", page.count("#source .chip") > chips, True)
    page.page.locator("#panel .row", has_text="in system headers").click()
    expect("number of branches after folding", page.count("#panel [data-branch]"), before)


def callees_are_links(page: Opened) -> None:
    page.page.locator("#list .row", has_text="grow(").first.click()
    page.click("#source a.tok-function:text-is('narrow')")
    page.wait_for_function("narrow(int)")
    page.page.go_back()
    page.wait_for_function("grow(")
