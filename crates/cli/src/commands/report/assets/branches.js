// The details of a branch, of a block and of loops.

/** If a branch has more successors than this, they are listed in a table. */
const MOST_SUCCESSORS = 8;
const MOST_IN_TABLE = 400;

/** All details of a branch: its condition, its inlined calls, and each successor with its probabilities and reason. */
function branchDetail(record, branch, actions) {
  const nodes = [make("h3", { title: branch.at ? index.files[branch.at[0]] : undefined },
    branch.at ? placeName(branch.at) : record.blocks[branch.block][0])];
  if (branch.code) nodes.push(make("p", { class: "code" }, branch.code));
  for (const [inside, ...call] of branch.inlined ?? []) {
    const link = actions.link(baseName(inside));
    nodes.push(make("p", { class: "quiet" }, inside ? "in " : "", link ? make("a", link, inside) : inside,
      `${inside ? ", " : ""}inlined at ${placeName(call)}`));
  }
  // A profile replaces the weights of hints, so the prediction without the profile is also a prediction without hints.
  const basis = branch.executions === undefined ? "" : " (without hints in the source)";
  nodes.push(make("p", { class: "quiet" }, `predicted by: ${record.strings[branch.rule]}${basis}; ${runsOf(record, branch)}`));
  if (branch.cost >= 1) {
    nodes.push(make("p", { class: "bad" }, `${exact(Math.floor(branch.cost))} of ${counted(branch.executions, "execution")} were avoidable mispredictions`));
  }
  if (branch.successors.length > MOST_SUCCESSORS) nodes.push(...switchTable(record, branch, actions));
  else nodes.push(...branch.successors.map((successor) => successorDetail(record, branch, successor, actions)));
  return nodes;
}

/** The measured executions of a branch, or the estimated executions if there is no profile. */
function runsOf(record, branch) {
  if (branch.executions > 0) return `measured: ${branch.approximate ? "about " : ""}${counted(branch.executions, "execution")}`;
  if (branch.executions === 0) return "no execution in the profile";
  return `estimated: ${often(record.blocks[branch.block][1])} per call`;
}

/** A button that highlights the block of a successor. */
const destination = (record, successor, actions) =>
  make("button", { class: "link", type: "button", onclick: () => actions.goTo(successor.to) }, record.strings[successor.place]);

function successorDetail(record, branch, successor, actions) {
  return make("div", { class: "successor" },
    make("div", { class: "head" }, "to ", destination(record, successor, actions)),
    make("div", { class: "bars" }, ...kindsOf(branch).flatMap(([key, name]) => shareBar(key, name, successor[key] ?? 0))),
    reasons(record, successor.why ?? []));
}

const reasons = (record, why) => make("ul", {}, ...why.map((number) => make("li", {}, record.strings[number])));

/** A table of the successors of a wide switch, in descending order of probability. */
function switchTable(record, branch, actions) {
  const kinds = kindsOf(branch);
  const successors = [...branch.successors].sort((one, other) => other.share - one.share);
  const cells = (successor) => kinds.map(([key]) =>
    make("td", { class: "number" }, make("span", { class: `bar ${key}` },
      make("i", { style: { width: `${(successor[key] ?? 0) * 100}%` } })), percent(successor[key] ?? 0)));
  const row = (successor) => make("tr", {}, make("td", {}, destination(record, successor, actions)), ...cells(successor));
  const rest = successors.length - MOST_IN_TABLE;
  const why = [...new Set(successors.flatMap((successor) => successor.why ?? []))].slice(0, 12);
  return [
    make("table", { class: "switch" },
      make("thead", {}, make("tr", {}, make("th", {}, `${successors.length} successors`), ...kinds.map(([, name]) => make("th", {}, name)))),
      make("tbody", {}, ...successors.slice(0, MOST_IN_TABLE).map(row))),
    rest > 0 ? make("p", { class: "quiet" }, `${counted(rest, "less likely successor")} omitted`) : null,
    reasons(record, why),
  ].filter(Boolean);
}

/** A row in the list of a function's branches: the line, the probabilities and the rule of the branch. */
function branchSummary(record, branch, position) {
  return [
    make("div", { class: "what" }, make("span", { class: "quiet" }, position), make("span", { class: "code" }, branch.code ?? "")),
    make("div", { class: "how" }, shareLines(branch), make("span", { class: "rule" }, record.strings[branch.rule])),
  ];
}

/** The details of a block. `calls` is the profiled number of calls of the function, or undefined if there is no profile. */
function blockDetail(record, block, calls) {
  const [name, frequency, , lines, first] = record.blocks[block];
  const runs = calls === 0 ? "no call of the function in the profile"
    : `${calls > 0 ? "by the profile" : "estimated"}: ${often(frequency)} per call`;
  return [make("h3", {}, `block ${name}`), make("p", { class: "quiet" }, `${runs}; ${linesInWords(lines, first)}`)];
}

/** A table of the loops of a function. `choose(block)` is called with the first header of the selected loop. */
function loopTable(record, choose) {
  if (!record.loops.length) return make("p", { class: "note" }, "no loops");
  const depths = [];
  for (const loop of record.loops) depths.push(loop.parent === null ? 0 : 1 + depths[loop.parent]);
  const row = (loop, place) => {
    const [name, , , lines, first] = record.blocks[loop.headers[0]];
    const title = `${"\u00a0\u00a0".repeat(Math.min(12, depths[place]))}${linesInWords(lines, first)}`;
    return make("tr", {},
      make("td", {}, make("button", { type: "button", title: name, onclick: () => choose(loop.headers[0]) }, title)),
      make("td", {}, times(loop.trips)), make("td", {}, times(loop.entries)),
      make("td", {}, loop.irreducible ? `${loop.headers.length} entry blocks` : ""));
  };
  return make("table", {},
    make("thead", {}, make("tr", {}, make("th", {}, "loop"), make("th", {}, "iterations per entry"),
      make("th", {}, "entries per call"), make("th", {}))),
    make("tbody", {}, ...record.loops.slice(0, 2000).map(row)));
}
