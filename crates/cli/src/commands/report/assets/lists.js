// The lists on the left: functions, and branches of the whole program.

const LISTS = [
  { key: "functions", title: "Functions", orders: FUNCTION_ORDERS },
  { key: "branches", title: "Branches", orders: branchOrders(index.measured ? "measured executions" : STATIC_ORDER) },
];
if (index.measured) LISTS.push({ key: "costliest", title: "Wrong", orders: branchOrders("executions predicted wrongly") });
if (index.against) LISTS.push({ key: "differing", title: "Different", orders: branchOrders("difference times executions") });

class Lists {
  /** `open(function, branch)` opens a function, or a branch if `branch` is not null. `shown` is the selection in main.js. */
  constructor(holder, shown, open) {
    this.holder = holder;
    this.rows = new Rows(holder, 46);
    this.shown = shown;
    this.open = open;
    this.kind = LISTS[0];
    this.orders = new Map();
    this.filters = new Map();
    this.opened = new Set();
    this.wanted = "";
    this.active = 0;
    listKeys(holder, () => this.items.length, () => this.active, (place) => this.move(place));
    holder.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.choose(this.active);
    });
    byId("order").addEventListener("change", (event) => {
      this.orders.set(this.kind, event.target.value);
      this.show();
    });
    byId("filter").addEventListener("change", (event) => {
      this.filters.set(this.kind, event.target.value);
      this.show();
    });
    this.show();
  }

  /** Fills the list with the items that contain `wanted`. The selected item stays selected even if it is not in the list. */
  show() {
    const { kind } = this;
    showTabs(byId("left-tabs"), LISTS.map(({ key, title }) => [key, title]), kind.key, (key) => {
      this.kind = LISTS.find((list) => list.key === key);
      this.show();
    });
    this.order = kind.orders.find(({ key }) => key === this.orders.get(kind)) ?? kind.orders[0];
    showChoices(byId("order"), kind.orders.map(({ key, title }) => [key, title]), this.order.key);
    byId("order").title = ORDER_NOTES[this.order.key] ?? ORDER_NOTES[this.order.title] ?? `Order: ${this.order.title}`;
    const all = kind.key === "functions" ? index.functions.map((_, place) => [place, null]) : index[kind.key];
    const filter = this.filters.get(kind) ?? "";
    showChoices(byId("filter"), this.choices(), filter);
    const found = all.filter((item) => this.isFound(item, filter));
    found.sort(this.order.compare);
    this.most = this.order.amount ? Math.max(...found.map(this.order.amount), 0) : Math.max(...found.map(([, , amount]) => amount ?? 0), 0);
    // If every found item is in a folded group, the groups are opened. Otherwise no result would be visible.
    const isAllFolded = this.wanted && found.every((item) => this.groupOf(item) !== OWN);
    this.items = folded(found, (item) => this.groupOf(item), isAllFolded ? new Set([SYSTEM, EXCEPTIONAL]) : this.opened);
    this.rows.holder.scrollTop = 0;
    this.active = Math.max(0, this.items.findIndex(({ item }) => item && this.isShown(item)));
    this.rows.height = kind.key === "functions" ? 46 : 64;
    this.rows.show(this.items.length, (place) => this.row(place));
    const isCut = kind.key !== "functions" && all.filter((item) => this.groupOf(item) === OWN).length >= index.most_listed;
    const end = isCut ? `; the list ends after ${exact(index.most_listed)}` : "";
    byId("found").textContent = `${exact(found.length)} found${end}`;
  }

  /** The values of the filter: files for functions, rules for branches. */
  choices() {
    if (this.kind.key === "functions") {
      const files = [...new Set(index.functions.filter((entry) => groupOfFunction(entry) === OWN).map(({ file }) => file))];
      const names = files.filter((file) => file !== null).map((file) => [String(file), index.files[file]]);
      return [["", "every file"], ...names.sort((one, other) => one[1].localeCompare(other[1], "en"))];
    }
    this.rules ??= new Map();
    if (!this.rules.has(this.kind)) {
      this.rules.set(this.kind, [...new Set(index[this.kind.key].map(ruleOf))].sort());
    }
    return [["", "every rule"], ...this.rules.get(this.kind).map((rule) => [rule, rule])];
  }

  isFound(item, filter) {
    if (filter && filter !== (item[1] === null ? String(entryOf(item).file) : ruleOf(item))) return false;
    const words = this.wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return words.every((word) => (word.startsWith("name:")
      ? baseName(entryOf(item).name).toLowerCase() === word.slice(5) : searched(item[0]).includes(word)));
  }

  groupOf([place, branch, , , group]) {
    return branch === null ? groupOfFunction(index.functions[place]) : group;
  }

  isShown([place, branch]) {
    return place === this.shown.function && (branch === null || branch === this.shown.branch);
  }

  row(place) {
    const { item, ...fold } = this.items[place];
    const row = make("div", {
      class: place === this.active ? "row active" : "row", role: "option", id: `item-${place}`,
      "aria-selected": String(item ? this.isShown(item) : false), onclick: () => this.choose(place),
    });
    row.append(...(item ? this.nodes(item) : foldNodes(fold)));
    return row;
  }

  nodes(item) {
    if (item[1] !== null) return this.branchNodes(item);
    const name = listedName(entryOf(item));
    const amount = this.order.amount?.(item);
    const end = scopeEnd(name);
    return [
      make("div", { class: "name", title: name },
        end ? make("span", { class: "scope" }, name.slice(0, end)) : null, make("span", {}, name.slice(end))),
      make("div", { class: "facts" }, amount === undefined ? null : meter(amount / (this.most || 1)), make("span", {}, this.order.words(item))),
    ];
  }

  branchNodes([number, place, amount, copies, , , [part, parts]]) {
    const branch = functionRecord(number).branches[place];
    const position = branch.at ? placeName(branch.at.slice(0, 2)) : index.functions[number].name;
    const where = parts > 1 ? `${position}, branch ${part} of ${parts}` : position;
    const words = { branches: this.amountInWords(amount), costliest: `${exact(Math.floor(amount))} wrong`, differing: differenceInWords(branch) };
    return [
      make("div", { class: "name code", title: branch.code }, branch.code ?? index.functions[number].name),
      make("div", { class: "facts" }, meter(amount / (this.most || 1)), make("span", {}, words[this.kind.key]),
        copies > 1 ? make("span", {}, `${copies} copies`) : null),
      make("div", { class: "facts where", title: where }, where),
    ];
  }

  amountInWords(amount) {
    return index.measured ? `${exact(amount)} ran` : `est. \u00d7${times(amount)}`;
  }

  /** Selects a row with the arrow keys. If the row is an item, it is opened. A folded group is opened only by Enter. */
  move(place) {
    this.active = place;
    if (this.items[place]?.item) this.choose(place);
    else this.redraw();
  }

  choose(place) {
    const row = this.items[place];
    if (!row) return;
    this.active = place;
    if (row.item) {
      this.open(row.item[0], row.item[1]);
      this.redraw();
    } else {
      toggle(this.opened, row.group);
      const { scrollTop } = this.rows.holder;
      this.show();
      this.rows.holder.scrollTop = scrollTop;
      this.active = place;
      this.rows.redraw();
    }
  }

  /** Highlights the row of the selected item after a selection in another part of the page. */
  follow() {
    const isShown = (row) => row?.item && this.isShown(row.item);
    if (!isShown(this.items[this.active])) {
      const place = this.items.findIndex(isShown);
      if (place >= 0) this.active = place;
    }
    this.redraw();
  }

  redraw() {
    this.rows.reveal(this.active);
    this.rows.redraw();
    this.holder.setAttribute("aria-activedescendant", `item-${this.active}`);
  }
}

const ruleOf = ([, , , , , rule]) => rule;

function differenceInWords(branch) {
  const apart = (successor) => Math.abs((successor.against ?? successor.share) - successor.share);
  const successor = branch.successors.reduce((one, other) => (apart(other) > apart(one) ? other : one));
  return `${percent(successor.share)} \u2192 ${percent(successor.against ?? successor.share)}`;
}

/** For each function: the text in which the search looks, in lower case. Each text is computed once. */
const searchedTexts = [];
function searched(place) {
  const entry = index.functions[place];
  searchedTexts[place] ??=
    `${entry.name} ${entry.symbol ?? ""} ${entry.file === null ? "" : index.files[entry.file]}`.toLowerCase();
  return searchedTexts[place];
}
