// The selected function, and the selected line, branch or block in the function. The address of the page contains the
// selection.

/** The selection. `isBranch` is true if the user selected the branch, and false if the user selected its line or block. */
const shown = { function: null, line: null, branch: null, isBranch: false, block: null, panel: "branches", opened: new Set() };

const actions = {
  chooseBranch, chooseBlock, chooseLine, link: linkOf, goTo: chooseBlock, widen,
  address: (line) => addressOf(shown.function, line),
  unfold: () => toggleGroups([SYSTEM, EXCEPTIONAL]),
  toggle: (group) => toggleGroups([group]),
};
const source = new SourceView(byId("source"), actions);
const panel = new Panel(byId("panel"), shown, actions);
const lists = new Lists(byId("list"), shown, (place, branch) => openFunction(place, branch));

function openFunction(place, branch = null, line = null, isNew = true) {
  const isSame = shown.function === place;
  Object.assign(shown, { function: place, line, branch: null, isBranch: false, block: null });
  if (!isSame) shown.opened = new Set();
  const entry = index.functions[place];
  showFunctionFacts(entry);
  source.show(functionRecord(place), entry.file === null ? null : index.files[entry.file], shown.opened);
  byId("detail").replaceChildren(make("p", { class: "quiet" },
    entry.branches ? "Choose a branch for its reason." : "This function has no branch."));
  panel.show();
  if (isNew && !isSame) remember("pushState");
  if (functionRecord(place).branches[branch]) chooseBranch(branch);
  else if (line !== null) chooseLine(line);
  else lists.follow();
}

function showFunctionFacts(entry) {
  const where = entry.file === null ? "no source position" : `${index.files[entry.file]}${entry.line ? `:${entry.line}` : ""}`;
  const facts = [counted(entry.branches, "branch", "branches")];
  if (entry.count !== undefined) facts.push(`measured: called ${counted(entry.count, "time")}`);
  if (entry.share !== undefined) facts.push(`${percent(entry.share)} by ${TIME}`);
  const record = functionRecord(shown.function);
  const isMissing = record.text !== null && textRecord(record.text).lines === null;
  byId("function").replaceChildren(
    make("h2", {}, entry.name),
    make("p", { title: `${where}\n${ORDER_NOTES.share}` }, [shortPath(where) + (isMissing ? " (not found)" : ""), ...facts].join("; ")),
    ...(entry.symbol ? [make("p", {}, entry.symbol)] : []));
}

/** Selects a branch: shows its details, and highlights its block in the graph and its line in the source. */
function chooseBranch(place) {
  const found = functionRecord(shown.function);
  const branch = found.branches[place];
  const line = branch.line || -1 - branch.block;
  Object.assign(shown, { branch: place, isBranch: true, block: branch.block, line: branch.line || null });
  const group = groupOfBranch(branch);
  if (group !== OWN && !shown.opened.has(group)) toggleGroups([group]);
  byId("detail").replaceChildren(...branchDetail(found, branch, actions));
  byId("detail").scrollTop = 0;
  source.mark([line], place, line);
  changed();
}

function chooseBlock(block) {
  const found = functionRecord(shown.function);
  const branch = found.branches.findIndex((one) => one.block === block);
  const rows = rowsOfBlock(found, block);
  Object.assign(shown, { block, branch: branch < 0 ? null : branch, isBranch: false, line: rows[0] > 0 ? rows[0] : null });
  const detail = blockDetail(found, block, index.functions[shown.function].count);
  if (branch >= 0) detail.push(...branchDetail(found, found.branches[branch], actions));
  byId("detail").replaceChildren(...detail);
  source.mark(rows, shown.branch);
  changed();
}

/**
 * Selects a line, and the most executed block with an instruction in the line. Blocks that end with a condition in the
 * line come first.
 */
function chooseLine(line) {
  const found = functionRecord(shown.function);
  const conditions = new Set(found.branches.flatMap((one) => (one.line === line && groupOfBranch(one) === OWN ? [one.block] : [])));
  const rank = (block) => [conditions.has(block) ? 1 : 0, found.blocks[block][1]];
  const isAfter = ([one, often], [other, oftener]) => one - other || often - oftener;
  const candidates = found.blocks.flatMap((_, block) => (rowsOfBlock(found, block).includes(line) ? [block] : []));
  if (candidates.length) {
    chooseBlock(candidates.reduce((one, other) => (isAfter(rank(other), rank(one)) > 0 ? other : one)));
  }
  shown.line = line;
  source.mark([line], shown.branch, line);
  changed();
}

/** Updates the highlights in the lists and in the graph, and the address, after a new selection. */
function changed() {
  panel.follow();
  lists.follow();
  remember("replaceState");
}

function toggleGroups(groups) {
  groups.forEach((group) => toggle(shown.opened, group));
  source.rows.redraw();
  if (shown.panel === "branches") panel.show();
}

function widen() {
  document.body.classList.toggle("wide");
  panel.pan?.fit(READABLE_SCALE);
}

/** The attributes of a link for a name in the source. The link opens the function with this name, or lists all such functions. */
function linkOf(name) {
  if (name === baseName(index.functions[shown.function].name)) return null;
  const all = functionsNamed(name).filter((place) => place !== shown.function);
  const here = all.filter((place) => index.functions[place].file === index.functions[shown.function].file);
  const found = all.length === 1 ? all : here.length === 1 ? here : all;
  if (!found.length) return null;
  const stop = (event) => event.stopPropagation();
  if (found.length === 1) return { href: addressOf(found[0]), title: `Open ${index.functions[found[0]].name}`, onclick: stop };
  return {
    href: addressOf(shown.function), title: `${found.length} functions have this name: list them`,
    onclick: (event) => {
      event.preventDefault();
      stop(event);
      byId("search").value = `name:${name}`;
      search();
    },
  };
}

// ---- the address ---------------------------------------------------------------------------------------------------

function remember(how) {
  const address = addressOf(shown.function, shown.line, shown.isBranch ? shown.branch : null);
  if (address !== location.hash) history[how](null, "", address);
}

/** Selects the function, line and branch in the address. Returns false if the page does not contain the function. */
function openAddress() {
  const target = targetOf(location.hash);
  if (!target) return false;
  openFunction(target.place, target.branch, target.line, false);
  return true;
}

// ---- keys, search, colour theme ------------------------------------------------------------------------------------

/** Selects the next or previous branch in the list on the right. Folded branches are skipped. */
function step(by) {
  const seen = panel.visibleBranches().flatMap(({ item }) => (item === undefined ? [] : [item]));
  const place = seen.indexOf(shown.branch);
  const next = place < 0 ? (by > 0 ? 0 : seen.length - 1) : place + by;
  if (seen[next] !== undefined) chooseBranch(seen[next]);
}

function choosePanel(key) {
  shown.panel = key;
  panel.show();
  byId("panel").querySelector(".rows, .graph, .scrolled")?.focus({ preventScroll: true });
}

function clear() {
  byId("search").value = "";
  search();
  Object.assign(shown, { branch: null, isBranch: false, block: null, line: null });
  source.mark([], null);
  changed();
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
  w: widen,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const isTyping = document.activeElement === byId("search");
  if (event.key === "Escape") clear();
  if (isTyping && (event.key === "Enter" || event.key === "ArrowDown")) {
    event.preventDefault();
    byId("list").focus();
    lists.move(0);
  }
  if (event.target.matches("input, select") || !(event.key in KEYS) || shown.function === null) return;
  event.preventDefault();
  KEYS[event.key]();
});
byId("search").addEventListener("input", search);
byId("theme").addEventListener("click", changeTheme);
byId("help").addEventListener("click", () => byId("keys").showModal());
addEventListener("hashchange", openAddress);

byId("summary").textContent = [
  index.prediction + (index.against ? ` against ${index.against}` : ""),
  counted(index.functions.length, "function"),
  counted(index.functions.reduce((sum, entry) => sum + entry.branches, 0), "branch", "branches"),
  index.measured ? "with a measured profile" : null,
].filter(Boolean).join(" \u00b7 ");
for (const element of document.querySelectorAll("[data-if]")) element.hidden = !index[element.dataset.if];
if (!openAddress() && index.functions.length) {
  const first = lists.items.find(({ item }) => item)?.item ?? [0];
  openFunction(first[0], null, null, false);
  remember("replaceState");
}
