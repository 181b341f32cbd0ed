"""Checks the pages of `bpa report` in Chromium: lists, source, graph, links and keys work, and no foreign script runs.

The Python package playwright, which pip installs, controls the installed Chromium.
"""

import argparse
import pathlib
import subprocess
import tempfile

from ..messages import Failure
from ..page import checks, graph_checks, layout_checks, link_checks, list_checks, subjects
from ..page.browser import Browser, browser
from ..paths import DOCS
from ..suite import BUILD_WITHOUT_LLVM, COMMAND, cargo
from ..tools import Tools, add_options, find_tools

#: The number of lines of the longest function.
LINES = 50_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE", help="only write the README's picture")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    if not cargo(*BUILD_WITHOUT_LLVM)():
        raise Failure("the build of the command bpa failed")
    with tempfile.TemporaryDirectory() as name, browser() as running:
        made = Pages(tools, pathlib.Path(name))
        if arguments.picture:
            readme_picture(running, made, arguments.picture)
            return 0
        small(running, made)
        shapes(running, made)
        measured(running, made)
        against(running, made)
        hostile(running, made)
        large(running, made)
    print("pages: all checks passed")
    return 0


class Pages:
    def __init__(self, tools: Tools, folder: pathlib.Path) -> None:
        self.tools, self.folder = tools, folder

    def source(self, name: str, text: str | bytes) -> pathlib.Path:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def page(self, program: pathlib.Path, *options: str) -> pathlib.Path:
        kind = options[0].strip("-").partition("=")[0] if options else "plain"
        page = self.folder / f"{program.stem[:20].replace('/', '')}-{kind}.html"
        words = ["--llvm", str(self.tools.llvm.version), "--plugin", str(self.tools.plugin), "-o", str(page), *options]
        run = [str(COMMAND), "report", *words, str(program)]
        done = subprocess.run(run, stdout=subprocess.DEVNULL, cwd=self.folder)
        if done.returncode != 0:
            raise Failure(f"bpa report failed on {program.name}")
        return page


def small(running: Browser, made: Pages) -> None:
    page = made.page(made.source("small.c", subjects.SMALL))
    for scheme in ("light", "dark"):
        with running.open(page, scheme) as opened:
            checks.opens(opened, 2)
            checks.light_and_dark(opened, scheme)
    for check in (
        list_checks.search_and_selection_agree,
        checks.branch_detail_has_a_reason,
        checks.inlined_branch_lists_its_calls,
        checks.block_highlights_its_lines,
        checks.loops_have_trip_counts,
        checks.keys_control_the_page,
        link_checks.back_and_forward,
        link_checks.line_number_is_a_link,
    ):
        with running.open(page) as opened:
            check(opened)
    with running.open(page, fragment="#f=total&line=9") as opened:
        link_checks.link_opens_a_line(opened, "total", 9)
    with running.open(page, fragment="#f=no%20such&line=x") as opened:
        link_checks.unknown_link_opens_the_first(opened)


def shapes(running: Browser, made: Pages) -> None:
    page = made.page(made.source("shapes.cpp", subjects.SHAPES))
    for check in (
        list_checks.functions_have_orders,
        list_checks.branches_of_the_program,
        list_checks.system_code_is_folded,
        list_checks.callees_are_links,
        graph_checks.graph_zooms_and_pans,
        graph_checks.wide_switch_is_a_table,
        layout_checks.legend_explains,
        layout_checks.focus_is_visible,
    ):
        with running.open(page) as opened:
            check(opened)
    line = 1 + next(number for number, line in enumerate(subjects.SHAPES.splitlines()) if "== 7" in line)
    with running.open(page, fragment=f"#f=grow&line={line}") as opened:
        link_checks.line_selects_its_condition(opened)
    for name in ("narrow(", "grow("):
        with running.open(page) as opened:
            graph_checks.labels_do_not_overlap(opened, name)
        with running.open(page, width=800) as opened:
            graph_checks.graph_opens_at_the_entry(opened, name)
    looks(running, page)


def looks(running: Browser, page: pathlib.Path) -> None:
    for width in (1440, 1024, 800):
        for scheme in ("light", "dark"):
            with running.open(page, scheme, width) as opened:
                opened.press("n")
                layout_checks.fits_its_width(opened, width)
    for scheme in ("light", "dark"):
        with running.open(page, scheme) as opened:
            layout_checks.texts_have_contrast(opened, scheme)


def measured(running: Browser, made: Pages) -> None:
    source = made.source("measured.c", subjects.MEASURED)
    profile = subjects.profile(made.tools.llvm, source, made.folder)
    page = made.page(source, f"--profile={profile}")
    for check in (
        checks.profiled_beside_predicted,
        checks.counts_are_exact,
        checks.functions_without_branches_have_no_bar,
        checks.reason_is_of_the_prediction,
    ):
        with running.open(page) as opened:
            check(opened)
    with running.open(page) as opened:
        layout_checks.legend_explains(opened, "measured")
    looks(running, page)
    often = made.source("often.c", subjects.MEASURED.replace("i < 123457", "i < 12345678"))
    profile = subjects.profile(made.tools.llvm, often, made.folder)
    with running.open(made.page(often, f"--profile={profile}"), fragment="#f=main") as opened:
        layout_checks.frequencies_fit(opened)


def against(running: Browser, made: Pages) -> None:
    other = 22 if made.tools.llvm.version != 22 else 16
    with running.open(made.page(made.folder / "small.c", f"--against={other}")) as opened:
        checks.difference_is_shown(opened, f"LLVM {other}")


def hostile(running: Browser, made: Pages) -> None:
    with running.open(made.page(made.source(f"{subjects.SCRIPT[:8]}.c", subjects.hostile_source()))) as opened:
        checks.hostile_text_is_text(opened)
    deep = made.source("deep.c", subjects.missing_source("one/two/deep"))
    with running.open(made.page(made.source("twin.c", subjects.SMALL), "--system", str(deep))) as opened:
        list_checks.equal_names_have_files(opened, ["apart (missing.c)", "apart (twin.c)"])
        link_checks.path_is_whole(opened, "apart (missing.c)", "one/two/deep/missing.c:")
    with running.open(made.page(made.source("gone.c", subjects.missing_source()))) as opened:
        checks.missing_source_is_reported(opened)
    long = made.source("long.c", subjects.long_source(LINES))
    with running.open(made.page(long)) as opened:
        checks.long_source_scrolls(opened, LINES)


def large(running: Browser, made: Pages) -> None:
    page = made.page(subjects.sqlite_bitcode(made.tools.llvm))
    with running.open(page) as opened:
        checks.large_program_scrolls(opened)


def readme_picture(running: Browser, made: Pages, picture: pathlib.Path) -> None:
    page = made.page(made.source("table.c", (DOCS / "src/guide/table.c").read_text()))
    with running.open(page) as opened:
        opened.page.set_viewport_size({"width": 1340, "height": 820})
        opened.press("n", "g")
        opened.evaluate("document.activeElement.blur()")
        opened.page.screenshot(path=str(picture))
