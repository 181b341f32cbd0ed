// The source of a function: heat and frequency of each line, and a bar for each branch in it.

class SourceView {
  constructor(holder, chooseBranch, chooseLine) {
    this.rows = new Rows(holder, 20);
    this.chooseBranch = chooseBranch;
    this.chooseLine = chooseLine;
    this.marked = new Set();
  }

  show(record) {
    this.record = record;
    this.lines = sourceLines(record);
    this.places = new Map(this.lines.map(({ number }, place) => [number, place]));
    this.most = Math.max(0, ...record.blocks.map((block) => block[1]));
    this.marked = new Set();
    this.branch = null;
    this.rows.holder.scrollTop = 0;
    this.rows.show(this.lines.length, (place) => this.row(place));
  }

  row(place) {
    const { number, text, frequency, branches, label } = this.lines[place];
    const chips = branches.map((branch) => this.chip(branch));
    const isChosen = branches.includes(this.branch);
    const row = make("div", {
      class: `row${this.marked.has(number) ? " marked" : ""}${isChosen ? " chosen" : ""}`,
      style: { "--heat": heat(frequency, this.most).toFixed(0) }, "data-line": number,
    },
    make("span", { class: "number" }, label ?? String(number)),
    make("span", { class: "times" }, frequency === null ? "" : `\u00d7${times(frequency)}`),
    make("span", { class: "text" }, text, ...chips));
    if (frequency !== null) row.addEventListener("click", () => this.chooseLine(number));
    return row;
  }

  chip(place) {
    const branch = this.record.branches[place];
    const title = branch.sides.slice(0, 6).map((side) => `${percent(side.share)} to ${side.place}`).join(", ");
    return splitBar(branch.sides, {
      class: "chip", type: "button", title, "aria-label": `branch: ${title}`, "data-branch": place,
      "aria-pressed": String(place === this.branch),
      onclick: (event) => {
        event.stopPropagation();
        this.chooseBranch(place);
      },
    }, "button");
  }

  /** Marks the lines of `numbers` and the branch; scrolls to the first of them. */
  mark(numbers, branch, line) {
    this.marked = new Set(numbers);
    this.branch = branch;
    const to = this.places.get(line ?? Math.min(...numbers));
    if (to !== undefined) this.rows.reveal(to, true);
    this.rows.redraw();
  }
}

/** What is in each row: a line of the source; without source the lines that are known; without lines the blocks. */
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

/** A line as a branch has it, where the file is not there. */
const codeOf = (record, line) => record.branches.find((branch) => branch.at?.[1] === line)?.code ?? "";

/** The rows that stand for a block. */
function rowsOfBlock(record, block) {
  const [, , , lines, first] = record.blocks[block];
  if (lines.length) return lines;
  return first ? [first] : [-1 - block];
}
