// The source of a function. Each line has its number of executions, a colour, and a bar for each branch in the line.

/** The maximum number of bars beside a line. */
const MOST_CHIPS = 12;

class SourceView {
  /** `actions` are the functions in main.js that change the selection or return links. */
  constructor(holder, actions) {
    this.rows = new Rows(holder, 20);
    this.actions = actions;
    this.marked = new Set();
  }

  show(record, path, opened) {
    this.record = record;
    this.opened = opened;
    this.lines = sourceLines(record);
    this.grammar = path ? grammarOf(path) : null;
    this.comments = linesInComments(this.lines.map(({ text }) => text));
    this.places = new Map(this.lines.map(({ number }, place) => [number, place]));
    this.marked = new Set();
    this.branch = null;
    this.rows.holder.scrollTop = 0;
    this.rows.holder.scrollLeft = 0;
    this.rows.show(this.lines.length, (place) => this.row(place));
  }

  row(place) {
    const { number, text, frequency, branches, label } = this.lines[place];
    const isChosen = branches.includes(this.branch);
    const row = make("div", {
      class: `row${this.marked.has(number) ? " marked" : ""}${isChosen ? " chosen" : ""}`, "data-line": number,
      ...(frequency === null ? {} : heatAttributes(frequency)),
    },
    number > 0
      ? make("a", { class: "number", href: this.actions.address(number), tabindex: -1, onclick: (event) => event.stopPropagation() }, String(number))
      : make("span", { class: "number" }, label ?? ""),
    make("span", { class: "times", title: frequency === null ? undefined : `${often(frequency)} per call of the function` },
      frequency === null ? "" : `\u00d7${frequency >= 1e6 ? frequency.toExponential(2).replace("+", "") : times(frequency)}`),
    make("span", { class: "text" },
      ...highlighted(text, label === undefined ? this.grammar : null, this.comments[place], this.actions.link),
      ...this.chips(branches)));
    if (frequency !== null) row.addEventListener("click", () => this.actions.chooseLine(number));
    return row;
  }

  chips(branches) {
    const seen = branches.filter((branch) => this.isSeen(branch)).slice(0, MOST_CHIPS);
    const chips = seen.map((branch) => this.chip(branch));
    const rest = branches.length - seen.length;
    if (rest) {
      chips.push(make("button", {
        class: "more", type: "button", title: `${rest} more: inlined system code, or exception paths`,
        onclick: (event) => {
          event.stopPropagation();
          this.actions.unfold();
        },
      }, `+${rest}`));
    }
    return chips;
  }

  isSeen(place) {
    const group = groupOfBranch(this.record.branches[place]);
    return group === OWN || this.opened.has(group) || place === this.branch;
  }

  chip(place) {
    const branch = this.record.branches[place];
    const title = branch.successors.slice(0, 6).map((successor) =>
      `${percent(successor.share)}${successor.measured === undefined ? "" : ` (measured: ${percent(successor.measured)})`} to ${this.record.strings[successor.place]}`);
    return make("button", {
      class: "chip", type: "button", title: title.join(", "), "aria-label": `branch: ${title.join(", ")}`, "data-branch": place,
      "aria-pressed": String(place === this.branch),
      onclick: (event) => {
        event.stopPropagation();
        this.actions.chooseBranch(place);
      },
    }, ...splitBars(branch));
  }

  /** Highlights the lines in `numbers` and the branch. Scrolls to `line`, or to the first highlighted line. */
  mark(numbers, branch, line) {
    this.marked = new Set(numbers);
    this.branch = branch;
    const to = this.places.get(line ?? Math.min(...numbers));
    if (to !== undefined) this.rows.reveal(to, true);
    this.rows.redraw();
  }
}

/** The attributes for the colour of a row or block. `frequency` is its number of executions per call. */
function heatAttributes(frequency) {
  const degree = heat(frequency);
  return { "data-heat": degree < 0 ? "cold" : "hot", style: { "--heat": Math.abs(degree).toFixed(0) } };
}

/**
 * The rows of the source view, usually the lines of the source file. If the file is missing, the rows are the lines
 * with a branch or an instruction. If there is no debug information, the rows are the blocks.
 */
function sourceLines(record) {
  const frequencies = new Map();
  const raise = (line, frequency) => frequencies.set(line, Math.max(frequency, frequencies.get(line) ?? 0));
  record.blocks.forEach(([, frequency, , lines]) => lines.forEach((line) => raise(line, frequency)));
  const branches = new Map();
  record.branches.forEach((branch, place) => {
    if (!branches.has(branch.line)) branches.set(branch.line, []);
    branches.get(branch.line).push(place);
    if (branch.line) raise(branch.line, record.blocks[branch.block][1]);
  });
  const row = (number, text) => ({
    number, text, frequency: frequencies.get(number) ?? null, branches: branches.get(number) ?? [],
  });
  const text = record.text === null ? null : textRecord(record.text);
  if (text?.lines) return text.lines.map((line, place) => row(text.first + place, line));
  if (frequencies.size) {
    const known = [...frequencies.keys()].sort((one, other) => one - other);
    return known.map((number) => row(number, codeOf(record, number)));
  }
  return record.blocks.map(([name, frequency], block) => ({
    number: -1 - block, label: "", text: name, frequency,
    branches: record.branches.flatMap((branch, place) => (branch.block === block ? [place] : [])),
  }));
}

/** The source line of a branch in `line`. */
const codeOf = (record, line) => record.branches.find((branch) => branch.at?.[1] === line)?.code ?? "";

/** The numbers of the rows that belong to a block. */
function rowsOfBlock(record, block) {
  const [, , , lines, first] = record.blocks[block];
  if (lines.length) return lines;
  return first ? [first] : [-1 - block];
}
