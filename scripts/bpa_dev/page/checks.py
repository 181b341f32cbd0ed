"""Checks of the page: branches, blocks, loops, keys, profiles, and unusual sources."""

from ..messages import Failure
from .browser import Opened


def expect(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise Failure(f"{what}: expected {str(wanted)[:300]!r}, found {str(found)[:300]!r}")


def expect_in(what: str, part: str, text: str) -> None:
    if part not in text:
        raise Failure(f"{what}: expected {part!r} in {text[:400]!r}")


def opens(page: Opened, functions: int) -> None:
    expect_in("the summary", f"{functions:,} function", page.text("#summary"))
    expect("number of selected functions", page.count('#list [aria-selected="true"]'), 1)
    expect("number of script elements, including the data", page.count("script"), 2)


def open_function(page: Opened, name: str) -> None:
    page.page.fill("#search", name)
    page.click("#list .row")
    expect("the open function", page.text("#function h2"), name)


def branch_detail_has_a_reason(page: Opened) -> None:
    open_function(page, "apart")
    row = page.page.locator("#source .row", has_text="if (a == 0)")
    row.locator(".chip").click()
    detail = page.text("#detail")
    expect_in("the reason of a branch", "numbers are rarely 0", detail)
    expect_in("the weights of other rules", "Other rules: no metadata", detail)
    expect_in("the probability", "62.5%", detail)
    expect("number of selected branches", page.count('#panel [aria-selected="true"]'), 1)


def inlined_branch_lists_its_calls(page: Opened) -> None:
    open_function(page, "total")
    page.page.locator("#panel .row", has_text="value < 0").first.click()
    expect_in("the inlined calls", "in weigh, inlined at", page.text("#detail"))
    marked = page.text("#source .row.marked .text")
    expect_in("the line of the call", "sum += weigh(list->value)", marked)


def block_highlights_its_lines(page: Opened) -> None:
    open_function(page, "total")
    page.click("#right-tabs button:nth-child(2)")
    blocks = page.page.locator(".graph .block")
    for place in range(blocks.count()):
        blocks.nth(place).click()
        label = blocks.nth(place).get_attribute("aria-label")
        first = str(label).split("line")[-1].lstrip("s ").split("-")[0]
        marked = page.evaluate("[...document.querySelectorAll('#source .marked')].map((row) => row.dataset.line)")
        expect_in(f"the lines of {label}", first, " ".join(marked))
    page.click("#source .row.marked")
    expect("number of highlighted blocks for a line", page.count(".graph .block.marked"), 1)


def loops_have_trip_counts(page: Opened) -> None:
    open_function(page, "total")
    page.click("#right-tabs button:nth-child(3)")
    expect("number of loops", page.count("#panel tbody tr"), 1)
    page.click("#panel tbody button")
    expect("the loop's header has highlighted lines", page.count("#source .row.marked") > 0, True)


def keys_control_the_page(page: Opened) -> None:
    page.press("/")
    page.type("apart")
    page.press("Enter")
    expect("the function that a search opens", page.text("#function h2"), "apart")
    page.press("n")
    expect_in("the first branch", "a == 0", page.text("#detail .code"))
    page.press("g")
    page.press("Tab", "Enter")
    expect("number of highlighted blocks", page.count(".block.marked"), 1)
    page.press("Escape")
    expect("number of functions after the key Escape", page.count("#list .row"), 2)
    page.press("?")
    expect("the key ? opens the list of keys", page.evaluate("document.getElementById('keys').open"), True)
    page.press("Escape")
    page.page.locator("#list").focus()
    page.press("End", "Home", "ArrowDown")
    expect("the second function", page.page.locator('#list [aria-selected="true"]').get_attribute("id"), "item-1")


def brightness(page: Opened) -> float:
    """Returns the brightness of the background, from 0 to 1."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    parts = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(parts) / 765


def light_and_dark(page: Opened, scheme: str) -> None:
    expect(f"the background is light in the scheme {scheme}", brightness(page) > 0.5, scheme == "light")
    page.press("t")
    expect("the background is light after the key t", brightness(page) > 0.5, scheme != "light")


def profiled_beside_predicted(page: Opened) -> None:
    expect("the order of the list if a profile exists", page.page.input_value("#order"), "ran")
    expect("the function with the most executions", page.text("#function h2"), page.text("#list .row .name"))
    page.page.locator("#left-tabs button", has_text="Wrong").click()
    expect_in("the branch with the most wrong predictions", "wrong", page.text("#list .row"))
    page.click("#list .row")
    detail = page.text("#detail")
    for word in ("predicted", "measured", "were avoidable mispredictions"):
        expect_in("the detail of a profiled branch", word, detail)
    expect("bars of a successor", page.texts("#detail .successor:first-of-type .legend"), ["predicted", "measured"])


def open_measured(page: Opened, code: str) -> str:
    """Opens the branch of the function `odd` with the condition `code`, and returns the text of the details."""
    open_function(page, "odd")
    page.page.locator("#panel .row", has_text=code).click()
    return page.text("#detail")


def counts_are_exact(page: Opened) -> None:
    expect_in("executions of the first branch", "measured: 123,457 executions", open_measured(page, "i == 0"))
    expect_in("executions of the second branch", "measured: 2,469 executions", open_measured(page, "i % 3 == 0"))
    expect_in("calls of the function", "called 123,457 times", page.text("#function"))


def functions_without_branches_have_no_bar(page: Opened) -> None:
    rows = page.page.locator("#list .row", has_text="plain")
    expect_in("the amount of a function without branches", "no branch", str(rows.inner_text()))
    expect("bars of a function without branches", rows.locator(".meter").count(), 0)
    expect("bars of the other functions", page.count("#list .meter"), 2)


def reason_is_of_the_prediction(page: Opened) -> None:
    detail = open_measured(page, "i == 0")
    expect_in("the rule of the prediction", "predicted by: constant (without hints in the source); measured", detail)
    expect("the reason mentions branch weights", "branch weight" in detail, False)
    rows = page.texts("#panel .shares .legend")
    expect("bars in the list", rows[:2], ["predicted", "measured"])


def difference_is_shown(page: Opened, other: str) -> None:
    expect_in("both versions", f"against {other}", page.text("#summary"))
    open_function(page, "apart")
    page.click("#source .chip")
    expect_in("the prediction of the other LLVM version", other, page.text("#detail"))


def hostile_text_is_text(page: Opened) -> None:
    expect_in("the symbol", "onerror=alert('name')", page.text("#function"))
    source = page.page.locator("#source").text_content()
    for part in ("</script><script>alert('line')</script>", "${alert(3)}", "\ufffd", "more bytes"):
        expect_in("the source", part, source)
    page.press("n", "n", "n")
    expect_in("the file's name", "onerror=alert(2)", page.text("#detail h3"))
    expect("number of img and textarea elements", page.count("img, textarea"), 0)
    page.press("g", "l", "b")
    expect("number of script elements", page.count("script"), 2)


def missing_source_is_reported(page: Opened) -> None:
    expect_in("the file", "(not found)", page.text("#function p"))
    expect("the page has rows for known lines", page.count("#source .row") > 2, True)
    page.press("n")
    expect_in("the reason", "Other rules", page.text("#detail"))


def long_source_scrolls(page: Opened, lines: int) -> None:
    expect("the page has less than 120 rows", page.count("#source .row") < 120, True)
    page.evaluate("document.getElementById('source').scrollTop = 1e9")
    page.page.locator("#source .row", has_text=f"other({lines - 25});").wait_for()
    page.press("g")
    expect("the graph has 1 to 250 blocks", 0 < page.count(".graph .block") <= 250, True)


def large_program_scrolls(page: Opened) -> None:
    count = page.evaluate(
        "Number(document.getElementById('summary').textContent.match(/([\\d,]+) func/)[1].replace(',', ''))"
    )
    expect("the list has fewer than 80 rows", page.count("#list .row") < 80, True)
    page.page.locator("#list").focus()
    page.press("End")
    last = page.page.locator(f"#item-{count - 1}")
    expect("the last function is selected", last.get_attribute("aria-selected"), "true")
    open_function(page, "sqlite3VdbeExec")
    page.press("n", "n", "g")
    expect("the graph has 1 to 250 blocks", 0 < page.count(".graph .block") <= 250, True)
