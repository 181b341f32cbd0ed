// What is told of a branch, of a block and of loops.

/** A branch in full: its condition, where it was inlined, and each way with its share and reason. */
function branchDetail(record, branch) {
  const nodes = [make("h3", { title: branch.at ? index.files[branch.at[0]] : undefined }, branch.at ? placeName(branch.at) : record.blocks[branch.block][0])];
  if (branch.code) nodes.push(make("p", { class: "code" }, branch.code));
  for (const [inside, ...call] of branch.inlined ?? []) {
    nodes.push(make("p", { class: "quiet" }, `${inside ? `in ${inside}, ` : ""}inlined at ${placeName(call)}`));
  }
  const facts = [`rule: ${branch.rule}`, `runs ${often(record.blocks[branch.block][1])} a call`];
  if (branch.executions !== undefined) facts.push(`ran ${often(branch.executions)}`);
  nodes.push(make("p", { class: "quiet" }, facts.join("; ")));
  if (branch.cost > 0) nodes.push(make("p", { class: "bad" }, `${times(branch.cost)} executions were predicted wrongly, and need not have been`));
  const sides = branch.sides.slice(0, 40).map((side) => sideDetail(record, side));
  if (branch.sides.length > 40) sides.push(make("p", { class: "quiet" }, `${branch.sides.length - 40} more ways`));
  return [...nodes, ...sides];
}

function sideDetail(record, side) {
  const bars = [];
  const bar = (what, share, legend) => bars.push(
    make("div", { class: `bar ${what}` }, make("i", { style: { width: `${share * 100}%` } })),
    ...(legend ? [make("div", { class: "legend" }, `${legend} ${percent(share)}`)] : []));
  if (side.measured !== undefined) {
    bar("", side.predicted, "predicted");
    bar("measured", side.measured, "measured");
  } else {
    bar("", side.share, side.against === undefined ? null : index.answer);
  }
  if (side.against !== undefined) bar("against", side.against, index.against);
  const share = side.measured === undefined ? side.share : side.predicted;
  return make("div", { class: "side" },
    make("div", { class: "head" }, make("b", {}, percent(share)), make("span", {}, `to ${side.place}`)),
    ...bars,
    make("ul", {}, ...side.why.map((number) => make("li", {}, record.strings[number]))));
}

/** A branch in a list: its line, its shares, its rule. */
function branchSummary(branch, position) {
  const shares = branch.sides.length === 2 ? branch.sides.map((side) => percent(side.share)).join(" : ")
    : `${branch.sides.length} ways`;
  return [
    make("div", { class: "what" }, make("span", { class: "quiet" }, position),
      make("span", { class: "code" }, branch.code ?? "")),
    make("div", { class: "how" }, splitBar(branch.sides, { class: "split" }), make("span", {}, shares),
      make("span", {}, branch.rule)),
  ];
}

function blockDetail(record, block) {
  const [name, frequency, , lines, first] = record.blocks[block];
  return [
    make("h3", {}, `block ${name}`),
    make("p", { class: "quiet" }, `runs ${often(frequency)} a call; ${linesInWords(lines, first)}`),
  ];
}

/** A table of the loops of a function; `choose(block)` marks the first header of one. */
function loopTable(record, choose) {
  if (!record.loops.length) return make("p", { class: "note" }, "no loops");
  const depth = (loop) => (loop.parent === null ? 0 : 1 + depth(record.loops[loop.parent]));
  const row = (loop) => {
    const [name, , , lines, first] = record.blocks[loop.headers[0]];
    const title = `${"\u00a0\u00a0".repeat(Math.min(12, depth(loop)))}${linesInWords(lines, first)}`;
    return make("tr", {},
      make("td", {}, make("button", { type: "button", title: name, onclick: () => choose(loop.headers[0]) }, title)),
      make("td", {}, times(loop.trips)), make("td", {}, times(loop.entries)),
      make("td", {}, loop.irreducible ? `${loop.headers.length} entries` : ""));
  };
  return make("table", {},
    make("thead", {}, make("tr", {}, make("th", {}, "loop"), make("th", {}, "turns an entry"),
      make("th", {}, "entries a call"), make("th", {}))),
    make("tbody", {}, ...record.loops.slice(0, 2000).map(row)));
}
