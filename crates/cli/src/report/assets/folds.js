// Lists in which branches of each group other than the user's own code are folded into one row.

const FOLD_NAMES = { [SYSTEM]: "in system headers", [UNWINDING]: "exception paths" };

/** `items` in order: the user's own items, then a row for each other group, followed by its items if it is `opened`. */
function folded(items, groupOf, opened) {
  const rows = items.filter((item) => groupOf(item) === OWN).map((item) => ({ item }));
  for (const group of [SYSTEM, UNWINDING]) {
    const others = items.filter((item) => groupOf(item) === group);
    if (!others.length) continue;
    rows.push({ group, count: others.length, isOpen: opened.has(group) });
    if (opened.has(group)) rows.push(...others.map((item) => ({ item })));
  }
  return rows;
}

/** The content of a group's row. */
const foldNodes = ({ group, count, isOpen }) =>
  [make("span", { class: "fold" }, `${isOpen ? "\u25be" : "\u25b8"} ${exact(count)} ${FOLD_NAMES[group]}`)];

function toggle(opened, group) {
  if (!opened.delete(group)) opened.add(group);
}
