// Lists in which what is not the user's own code is folded into one row for each group.

const FOLD_NAMES = { [SYSTEM]: "in system headers", [UNWINDING]: "exception paths" };

/** `items` in their order: those of one's own, then a row for each other group, and its items where that is `opened`. */
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

/** What is in the row of a group. */
const foldNodes = ({ group, count, isOpen }) =>
  [make("span", { class: "fold" }, `${isOpen ? "\u25be" : "\u25b8"} ${exact(count)} ${FOLD_NAMES[group]}`)];

function toggle(opened, group) {
  if (!opened.delete(group)) opened.add(group);
}
