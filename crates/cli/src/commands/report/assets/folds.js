// Lists with folded groups: all items of system headers are one row, and all exception paths are another row.

const FOLD_NAMES = { [SYSTEM]: "in system headers", [EXCEPTIONAL]: "exception paths" };

/**
 * The rows of a list: items of the project, then a row for each other group. If a group is in `opened`, its items follow
 * its row.
 */
function folded(items, groupOf, opened) {
  const rows = items.filter((item) => groupOf(item) === OWN).map((item) => ({ item }));
  for (const group of [SYSTEM, EXCEPTIONAL]) {
    const others = items.filter((item) => groupOf(item) === group);
    if (!others.length) continue;
    rows.push({ group, count: others.length, isOpen: opened.has(group) });
    if (opened.has(group)) rows.push(...others.map((item) => ({ item })));
  }
  return rows;
}

/** The content of the row that stands for a group. */
const foldNodes = ({ group, count, isOpen }) =>
  [make("span", { class: "fold" }, `${isOpen ? "\u25be" : "\u25b8"} ${exact(count)} ${FOLD_NAMES[group]}`)];

function toggle(opened, group) {
  if (!opened.delete(group)) opened.add(group);
}
