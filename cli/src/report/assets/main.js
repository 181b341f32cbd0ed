// What is shown: one function, perhaps a branch or a block of it.

const shown = { function: null, branch: null, block: null, panel: "branches" };
let branchRows = null;

const source = new SourceView(byId("source"), chooseBranch, chooseLine);
const lists = new Lists(byId("list"), (place, branch) => openFunction(place, branch));

function openFunction(place, branch = null) {
  shown.function = place;
  shown.branch = null;
  shown.block = null;
  const entry = index.functions[place];
  showFunctionFacts(entry);
  source.show(functionRecord(place));
  byId("detail").replaceChildren(make("p", { class: "quiet" },
    entry.branches ? "Choose a branch for its reason." : "This function has no branch."));
  showPanel();
  if (branch !== null) chooseBranch(branch);
}

function showFunctionFacts(entry) {
  const where = entry.file === null ? "no source position" : `${index.files[entry.file]}:${entry.line}`;
  const facts = [`${percent(entry.share)} of the time, ${entry.count === null ? "estimated" : "by measured calls"}`, `called ${often(entry.calls)} a run`];
  if (entry.count !== null) facts.push(`measured: called ${often(entry.count)}`);
  const record = functionRecord(shown.function);
  const isMissing = record.text !== null && textRecord(record.text).lines === null;
  byId("function").replaceChildren(
    make("h2", {}, entry.name),
    make("p", { title: where }, [shortPath(where) + (isMissing ? " (not found)" : ""), ...facts].join("; ")),
    ...(entry.symbol ? [make("p", {}, entry.symbol)] : []));
}

/** The reason of a branch, its block in the graph, and the lines that it may go to. */
function chooseBranch(place) {
  const record = functionRecord(shown.function);
  const branch = record.branches[place];
  shown.branch = place;
  shown.block = branch.block;
  byId("detail").replaceChildren(...branchDetail(record, branch));
  byId("detail").scrollTop = 0;
  source.mark([branch.line || -1 - branch.block], place, branch.line || -1 - branch.block);
  if (shown.panel === "branches" && branchRows) {
    branchRows.reveal(place);
    branchRows.redraw();
  } else if (shown.panel === "graph") {
    showBlockInGraph();
  }
}

function chooseBlock(block) {
  const record = functionRecord(shown.function);
  const branch = record.branches.findIndex((one) => one.block === block);
  shown.block = block;
  shown.branch = branch < 0 ? null : branch;
  const detail = blockDetail(record, block);
  if (branch >= 0) detail.push(...branchDetail(record, record.branches[branch]));
  byId("detail").replaceChildren(...detail);
  source.mark(rowsOfBlock(record, block), shown.branch);
  showBlockInGraph();
}

/** The block that has most to do with a line: of those with an instruction in it the one that runs most. */
function chooseLine(line) {
  const record = functionRecord(shown.function);
  const candidates = record.blocks.flatMap((_, block) => (rowsOfBlock(record, block).includes(line) ? [block] : []));
  if (!candidates.length) return;
  chooseBlock(candidates.reduce((one, other) => (record.blocks[other][1] > record.blocks[one][1] ? other : one)));
}

// ---- the panel on the right ----------------------------------------------------------------------------------------

function showPanel() {
  const record = functionRecord(shown.function);
  const tabs = [["branches", `Branches ${record.branches.length}`], ["graph", "Graph"], ["loops", `Loops ${record.loops.length}`]];
  showTabs(byId("right-tabs"), tabs, shown.panel, (panel) => {
    shown.panel = panel;
    showPanel();
  });
  branchRows = null;
  if (shown.panel === "branches") showBranches(record);
  else if (shown.panel === "graph") showGraph(record);
  else byId("panel").replaceChildren(make("div", { class: "graph" }, loopTable(record, chooseBlock)));
}

function showBranches(record) {
  const holder = make("div", { class: "rows", tabindex: 0, role: "listbox", "aria-label": "Branches" });
  byId("panel").replaceChildren(holder);
  branchRows = new Rows(holder, 48);
  branchRows.show(record.branches.length, (place) => {
    const branch = record.branches[place];
    return make("div", {
      class: "row", role: "option", "aria-selected": String(place === shown.branch), "data-branch": place,
      onclick: () => chooseBranch(place),
    }, ...branchSummary(branch, positionOf(record, branch)));
  });
  listKeys(holder, () => record.branches.length, () => shown.branch ?? -1, chooseBranch);
}

/** The line of a branch; with the file, if it was inlined. */
function positionOf(record, branch) {
  if (!branch.at) return record.blocks[branch.block][0];
  return branch.inlined ? placeName(branch.at.slice(0, 2)).replace(/^.*\//, "") : `${branch.at[1]}:${branch.at[2]}`;
}

function showGraph(record) {
  const holder = make("div", { class: "graph" });
  byId("panel").replaceChildren(holder);
  drawGraph(holder, record, shown.block, chooseBlock);
}

function showBlockInGraph() {
  if (shown.panel !== "graph") return;
  const holder = byId("panel").querySelector(".graph");
  // Of a large function other blocks are drawn now.
  const isPart = functionRecord(shown.function).blocks.length > MOST_BLOCKS;
  if (isPart && !holder.querySelector(`[data-block="${shown.block}"]`)) showGraph(functionRecord(shown.function));
  else markBlock(holder, shown.block, true);
}

// ---- keys, search, light and dark ----------------------------------------------------------------------------------

function step(by) {
  const { branches } = functionRecord(shown.function);
  if (!branches.length) return;
  const place = shown.branch === null ? (by > 0 ? 0 : branches.length - 1) : shown.branch + by;
  if (branches[place]) chooseBranch(place);
}

function choosePanel(panel) {
  shown.panel = panel;
  showPanel();
  byId("panel").querySelector("[tabindex]")?.focus({ preventScroll: true });
}

function clear() {
  byId("search").value = "";
  search();
  shown.branch = null;
  shown.block = null;
  source.mark([], null);
}

function search() {
  lists.wanted = byId("search").value;
  lists.show();
}

function changeTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

const KEYS = {
  "/": () => byId("search").focus(),
  "?": () => byId("keys").showModal(),
  t: changeTheme,
  n: () => step(1),
  p: () => step(-1),
  b: () => choosePanel("branches"),
  g: () => choosePanel("graph"),
  l: () => choosePanel("loops"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const isTyping = document.activeElement === byId("search");
  if (event.key === "Escape") clear();
  if (isTyping && (event.key === "Enter" || event.key === "ArrowDown")) {
    event.preventDefault();
    byId("list").focus();
    if (lists.items.length) lists.choose(0);
  }
  if (isTyping || !(event.key in KEYS) || shown.function === null) return;
  event.preventDefault();
  KEYS[event.key]();
});
byId("search").addEventListener("input", search);
byId("theme").addEventListener("click", changeTheme);
byId("help").addEventListener("click", () => byId("keys").showModal());

const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
byId("summary").textContent = [
  index.answer + (index.against ? ` against ${index.against}` : ""),
  count(index.functions.length, "function"),
  count(index.functions.reduce((sum, entry) => sum + entry.branches, 0), "branch").replace(/branchs$/, "branches"),
  index.measured ? "with a measured profile" : null,
].filter(Boolean).join(" \u00b7 ");
if (index.functions.length) lists.choose(0);
