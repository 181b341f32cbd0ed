// The lists on the left: functions, and the branches of the whole program that are most wrong or most different.

const LISTS = [["functions", "Functions"]];
if (index.measured) LISTS.push(["costliest", "Wrong"]);
if (index.against) LISTS.push(["differing", "Different"]);

class Lists {
  /** `open(function, branch)` shows one; `branch` is null if the function is meant. */
  constructor(holder, open) {
    this.rows = new Rows(holder, 44);
    this.open = open;
    this.kind = "functions";
    this.wanted = "";
    this.chosen = 0;
    listKeys(holder, () => this.items.length, () => this.chosen, (place) => this.choose(place));
    this.show();
  }

  /** Fills the list, with what `wanted` is found in. */
  show() {
    showTabs(byId("left-tabs"), LISTS, this.kind, (kind) => {
      this.kind = kind;
      this.show();
    });
    const words = this.wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const isFound = (place) => words.every((word) => searched(place).includes(word));
    this.items = this.kind === "functions"
      ? index.functions.flatMap((_, place) => (isFound(place) ? [[place, null, 0]] : []))
      : index[this.kind].filter(([place]) => isFound(place));
    this.chosen = 0;
    this.rows.holder.scrollTop = 0;
    this.rows.show(this.items.length, (place) => this.row(place));
  }

  row(place) {
    const [number, branch, amount] = this.items[place];
    const row = make("div", {
      class: "row", role: "option", id: `item-${place}`, "aria-selected": String(place === this.chosen),
      onclick: () => this.choose(place),
    });
    row.append(...(branch === null ? functionItem(index.functions[number]) : this.branchItem(number, branch, amount)));
    return row;
  }

  branchItem(number, place, amount) {
    const branch = functionRecord(number).branches[place];
    const what = this.kind === "costliest" ? `${times(amount)} wrong` : differenceInWords(branch);
    return [
      make("div", { class: "name code" }, branch.code ?? index.functions[number].name),
      make("div", { class: "facts" }, make("b", {}, what),
        make("span", {}, branch.at ? placeName(branch.at.slice(0, 2)) : index.functions[number].name)),
    ];
  }

  choose(place) {
    this.chosen = place;
    const [number, branch] = this.items[place];
    this.rows.reveal(place);
    this.rows.redraw();
    this.rows.holder.setAttribute("aria-activedescendant", `item-${place}`);
    this.open(number, branch);
  }
}

function functionItem(entry) {
  const ran = entry.count === null ? "" : `, called ${times(entry.count)}`;
  return [
    make("div", { class: "name", title: entry.name }, entry.name),
    make("div", { class: "facts" },
      make("span", { class: "meter" }, make("i", { style: { width: `${entry.share * 100}%` } })),
      make("span", {}, `${percent(entry.share)}${ran}`)),
  ];
}

function differenceInWords(branch) {
  const apart = (side) => Math.abs((side.against ?? side.share) - side.share);
  const side = branch.sides.reduce((one, other) => (apart(other) > apart(one) ? other : one));
  return `${percent(side.share)} \u2192 ${percent(side.against ?? side.share)}`;
}

/** What searching looks at, in small letters; made once for each function. */
const searchedTexts = [];
function searched(place) {
  const entry = index.functions[place];
  searchedTexts[place] ??=
    `${entry.name} ${entry.symbol ?? ""} ${entry.file === null ? "" : index.files[entry.file]}`.toLowerCase();
  return searchedTexts[place];
}
