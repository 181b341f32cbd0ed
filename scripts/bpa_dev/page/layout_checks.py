"""Checks of the layout: sizes, contrast, visible focus."""

from .browser import Opened
from .checks import expect, expect_in

#: The WCAG 2 contrast between the text and the background of an element.
CONTRAST = """(name) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (colours) => {
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll(name)].filter((found) => found.textContent.trim()).map((found) => {
    const grounds = [];
    for (let at = found; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    const [one, other] = [light(rgb(grounds)), light(rgb([...grounds, getComputedStyle(found).color]))];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  });
}"""


def fits_its_width(page: Opened, width: int) -> None:
    wide = page.evaluate("[document.documentElement.scrollWidth, document.body.scrollWidth]")
    expect(f"at width {width}, the page fits", max(wide) <= width, True)
    page.page.locator("#right-tabs button", has_text="Graph").click()
    for name in ("#left", "#middle", "#right", "#panel", "footer"):
        box = page.page.locator(name).bounding_box()
        expect(f"at width {width}, {name} is in the page", box["x"] >= 0 and box["x"] + box["width"] <= width + 1, True)
        expect(f"at width {width}, {name} is wide enough", box["width"] >= 195, True)
        bottom = box["y"] + box["height"]
        expect(f"at width {width}, {name} ends in the page", bottom <= page.page.viewport_size["height"] + 1, True)
        expect(f"at width {width}, {name} is high enough", box["height"] >= (20 if name == "footer" else 180), True)
        expect(
            f"at width {width}, {name} is complete",
            page.evaluate(f"""(() => {{
            const found = document.querySelector("{name}");
            return found.scrollWidth <= found.clientWidth + 1; }})()"""),
            True,
        )
    tops = [tab.bounding_box()["y"] for tab in page.page.locator("#left-tabs button").all()]
    expect(f"at width {width}, the number of rows of tabs", len(set(tops)), 1)
    source = page.page.locator("#source").bounding_box()
    expect(f"at width {width}, the source is large enough", source["width"] >= 390 and source["height"] >= 150, True)


def frequencies_fit(page: Opened) -> None:
    cells = "[...document.querySelectorAll('#source .times')]"
    long = page.evaluate(f"{cells}.some((cell) => cell.textContent.length > 6)")
    expect("the page shows a frequency with more than six characters", long, True)
    wide = page.evaluate(f"{cells}.filter((cell) => cell.scrollWidth > cell.clientWidth).length")
    expect("the number of frequencies that do not fit in their cells", wide, 0)


def legend_explains(page: Opened, *words: str) -> None:
    for word in ("Executions per call", "predicted", "loop back edge", *words):
        expect_in("the legend", word, page.text("#legend"))


def texts_have_contrast(page: Opened, scheme: str) -> None:
    page.press("n")
    for name in (
        "#source .times",
        "#source .number",
        "#source .text span",
        "#list .name",
        "#list .facts span",
        "#function p",
        "#detail li",
        "#legend span",
        "#panel .how span",
        "button",
    ):
        contrasts = page.page.evaluate(CONTRAST, name)
        # Some branches with a profile have no reason on the page, and therefore no element `#detail li`.
        expect(f"the page has elements {name}", len(contrasts) > 0 or name == "#detail li", True)
        expect(
            f"the contrast of {name} in {scheme} is at least 4.5: {min(contrasts, default=21):.2f}",
            min(contrasts, default=21) >= 4.5,
            True,
        )


def focus_is_visible(page: Opened) -> None:
    for _ in range(12):
        page.press("Tab")
        width, line, name = page.evaluate("""(() => {
            const { outlineWidth, outlineStyle } = getComputedStyle(document.activeElement);
            return [outlineWidth, outlineStyle, document.activeElement.tagName]; })()""")
        if name != "BODY":
            expect("the focus is visible", line != "none" and width != "0px", True)
