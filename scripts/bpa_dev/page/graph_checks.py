"""Checks of the graph: zoom, pan, fit, readable labels."""

from .browser import Opened
from .checks import expect, expect_in

#: Counts pairs of overlapping texts, texts outside of their block, and pairs of overlapping blocks.
OVERLAPS = """() => {
  const all = (name, within) => [...(within ?? document).querySelectorAll(name)];
  const boxes = (name, within) => all(name, within).map((found) => found.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const pairs = (found) => found.flatMap((a, i) => found.slice(i + 1).filter((b) => meet(a, b))).length;
  const outside = [...document.querySelectorAll(".graph .block")].flatMap((block) => {
    const [frame] = boxes(".frame", block);
    return boxes("text", block).filter((text) => text.left < frame.left || text.right > frame.right
      || text.top < frame.top - 1 || text.bottom > frame.bottom + 1);
  });
  return [pairs(boxes(".graph text")), outside.length, pairs(boxes(".graph .frame"))];
}"""

#: The fraction of blocks that are visible.
IN_SIGHT = """() => {
  const frame = document.querySelector(".graph svg").getBoundingClientRect();
  const blocks = [...document.querySelectorAll(".graph .frame")].map((found) => found.getBoundingClientRect());
  return blocks.filter((box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top
    && box.bottom <= frame.bottom).length / blocks.length;
}"""

#: Whether the entry block is visible.
ENTRY_IN_SIGHT = """() => {
  const frame = document.querySelector(".graph svg").getBoundingClientRect();
  const entry = [...document.querySelectorAll(".graph .block")].find((block) => block.textContent.startsWith("%entry"));
  const box = entry.querySelector(".frame").getBoundingClientRect();
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}"""

#: Whether the percentages of the selected branch fit into the branch's row.
INSIDE = """() => {
  const row = document.querySelector('#panel .row[aria-selected="true"]');
  const right = (name) => row.querySelector(name).getBoundingClientRect().right;
  return right(".shares > :last-child") <= right(".what") + 1;
}"""

TRANSFORM = "document.querySelector('.graph .scene').getAttribute('transform')"


def open_graph(page: Opened, name: str) -> None:
    page.page.locator("#list .row", has_text=name).first.click()
    page.click("#right-tabs button:nth-child(2)")


def labels_do_not_overlap(page: Opened, name: str) -> None:
    open_graph(page, name)
    expect("the graph has probabilities", page.count(".graph text.share") > 3, True)
    expect(
        f"{name}: overlapping texts, texts outside of their block, overlapping blocks",
        page.evaluate(OVERLAPS),
        [0, 0, 0],
    )


def graph_opens_at_the_entry(page: Opened, name: str) -> None:
    open_graph(page, name)
    expect(f"{name}: the graph is wider than its pane", page.evaluate(IN_SIGHT) < 1, True)
    expect(f"{name}: the entry block is visible", page.evaluate(ENTRY_IN_SIGHT), True)


def scale(page: Opened) -> int:
    return int(page.text("#panel .tools .scale").rstrip("%"))


def graph_zooms_and_pans(page: Opened) -> None:
    open_graph(page, "narrow(")
    page.page.get_by_role("button", name="Fit the graph").click()
    expect("the fraction of blocks that are visible after a click on 'Fit the graph'", page.evaluate(IN_SIGHT), 1)
    fitted, before = scale(page), page.evaluate(TRANSFORM)
    page.page.get_by_role("button", name="Larger").click()
    expect("the button 'Larger' enlarges the graph", scale(page) > fitted, True)
    page.page.get_by_role("button", name="Smaller").click()
    expect("the button 'Smaller' reverses a click on 'Larger'", abs(scale(page) - fitted) <= 1, True)
    box = page.page.locator(".graph svg").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] - 12)
    page.page.mouse.move(*middle)
    page.page.mouse.wheel(0, -300)
    expect("the mouse wheel enlarges the graph", scale(page) > fitted, True)
    moved = page.evaluate(TRANSFORM)
    page.page.mouse.down()
    page.page.mouse.move(middle[0] + 50, middle[1] - 40, steps=4)
    page.page.mouse.up()
    expect("dragging moves the graph", page.evaluate(TRANSFORM) != moved, True)
    expect("the scale after dragging", page.evaluate(TRANSFORM).partition("scale")[2], moved.partition("scale")[2])
    page.page.locator(".graph").focus()
    page.press("-", "ArrowLeft", "+", "0")
    expect("the position after the key 0", page.evaluate(TRANSFORM), before)
    page.press("w")
    expect("the key w widens the graph", page.page.locator(".graph svg").bounding_box()["width"] > box["width"], True)


def wide_switch_is_a_table(page: Opened) -> None:
    page.page.locator("#list .row", has_text="wide(").first.click()
    page.press("n")
    expect("number of successors in the table", page.count("#detail .switch tbody tr"), 13)
    shares = [float(text.strip("%<>")) for text in page.texts("#detail .switch tbody .number")]
    expect("the probabilities add up to 100%", 99 < sum(shares) < 101, True)
    expect("the probabilities in descending order", shares, sorted(shares, reverse=True))
    for width in (800, 1440):
        page.page.set_viewport_size({"width": width, "height": 740})
        expect(f"at {width}, the percentages are inside of their row", page.evaluate(INSIDE), True)
    page.press("g")
    expect_in("the switch in the graph", "13 successors", str(page.page.text_content(".graph .block.marked")))
    page.click("#detail .switch button")
    expect("a click on a successor highlights its lines", page.count("#source .row.marked") > 0, True)
