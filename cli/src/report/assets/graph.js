// The control-flow graph of a function: dark blocks run often, thick arrows are taken often, dashed ones lead back.

/** Of larger functions the surroundings of a block are drawn. */
const MOST_BLOCKS = 250;
const SURROUNDINGS = 80;

/** Draws the graph of function `record` into `holder`; `choose(block)` is called when one is chosen. */
function drawGraph(holder, record, chosen, choose) {
  const blocks = blocksToDraw(record, chosen ?? 0);
  const numbers = new Map(blocks.map((block, number) => [block, number]));
  const edges = record.edges.filter(([from, to]) => numbers.has(from) && numbers.has(to));
  const successors = blocks.map(() => []);
  const shares = blocks.map(() => []);
  for (const [from, to, share] of edges) {
    successors[numbers.get(from)].push(numbers.get(to));
    shares[numbers.get(from)].push(share);
  }
  const graph = layOut(successors);
  const most = Math.max(...record.blocks.map((block) => block[1]));
  const drawing = makeSvg("svg", {
    width: graph.width + GAP, height: graph.height, role: "group", "aria-label": "Control-flow graph",
  });
  drawing.append(arrowHead());
  for (const edge of graph.edges) {
    const source = record.blocks[blocks[edge.from]];
    const share = shares[edge.from][edge.successor];
    drawing.append(...drawEdge(edge, share, (source[1] * share) / (most || 1), successors[edge.from].length > 1));
  }
  for (const node of graph.nodes) {
    if (node.block !== null) drawing.append(drawBlock(node, record, blocks[node.block], most, choose));
  }
  const note = blocks.length < record.blocks.length
    ? `${record.blocks.length} blocks: those around ${record.blocks[chosen ?? 0][0]} are drawn.` : null;
  holder.replaceChildren(...(note ? [make("p", { class: "note" }, note)] : []), drawing);
  markBlock(holder, chosen, note !== null || chosen !== null);
}

/** All of them, or those nearest to one. */
function blocksToDraw(record, around) {
  if (record.blocks.length <= MOST_BLOCKS) return record.blocks.map((_, block) => block);
  const joined = new Map();
  for (const [from, to] of record.edges) {
    for (const [one, other] of [[from, to], [to, from]]) {
      if (!joined.has(one)) joined.set(one, []);
      joined.get(one).push(other);
    }
  }
  const near = new Set([around]);
  for (const block of near) {
    for (const other of joined.get(block) ?? []) if (near.size < SURROUNDINGS) near.add(other);
    if (near.size >= SURROUNDINGS) break;
  }
  return [...near].sort((one, other) => one - other);
}

function arrowHead() {
  const head = makeSvg("marker", {
    id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto",
    markerUnits: "userSpaceOnUse",
  }, makeSvg("path", { d: "M0 0 8 4 0 8z", fill: "var(--quiet)" }));
  return makeSvg("defs", {}, head);
}

function drawEdge(edge, share, weight, isChoice) {
  const points = edge.path.map((node) => [node.x, node.y]);
  if (edge.from === edge.to) points.push(points[0]);
  const path = makeSvg("path", {
    class: edge.isBack ? "edge back" : "edge", d: pathOf(points, edge), "marker-end": "url(#arrow)",
    "stroke-width": (0.8 + 3.2 * Math.sqrt(Math.min(1, weight))).toFixed(2),
  });
  if (!isChoice) return [path];
  const [start, next] = points;
  const isSelf = edge.from === edge.to;
  const x = isSelf ? start[0] + BLOCK_WIDTH / 2 + 4 : start[0] + (next[0] - start[0]) * 0.28 + 4;
  const y = edge.isBack ? start[1] - BLOCK_HEIGHT / 2 - 6 : start[1] + BLOCK_HEIGHT / 2 + 14;
  return [path, makeSvg("text", { class: "share", x, y }, percent(share))];
}

/** A curve from below the first block to above the last one; the other way for edges back. */
function pathOf(points, edge) {
  const half = BLOCK_HEIGHT / 2;
  if (edge.from === edge.to) {
    const [x, y] = points[0];
    const side = x + BLOCK_WIDTH / 2;
    return `M${side} ${y + 8}C${side + 40} ${y + 24} ${side + 40} ${y - 24} ${side} ${y - 8}`;
  }
  const way = edge.isBack ? -1 : 1;
  const shifted = points.map(([x, y], place) => {
    if (place === 0) return [x + (edge.isBack ? BLOCK_WIDTH / 4 : 0), y + way * half];
    if (place === points.length - 1) return [x + (edge.isBack ? BLOCK_WIDTH / 4 : 0), y - way * half];
    return [x, y];
  });
  let path = `M${shifted[0].join(" ")}`;
  shifted.slice(1).forEach(([x, y], place) => {
    const [fromX, fromY] = shifted[place];
    const middle = (fromY + y) / 2;
    path += `C${fromX} ${middle} ${x} ${middle} ${x} ${y}`;
  });
  return path;
}

function drawBlock(node, record, block, most, choose) {
  const [name, frequency, , lines, first] = record.blocks[block];
  const [x, y] = [node.x - BLOCK_WIDTH / 2, node.y - BLOCK_HEIGHT / 2];
  const size = { x, y, width: BLOCK_WIDTH, height: BLOCK_HEIGHT, rx: 5 };
  const drawn = makeSvg("g", {
    class: "block", tabindex: 0, role: "button", "data-block": block,
    "aria-label": `block ${name}, ${often(frequency)} a call, ${linesInWords(lines, first)}`,
  },
  makeSvg("rect", { ...size, class: "frame" }),
  makeSvg("rect", { ...size, class: "heat", opacity: (heat(frequency, most) / 130).toFixed(2) }),
  makeSvg("text", { x: x + 8, y: y + 16 }, shortened(name, 20)),
  makeSvg("text", { x: x + 8, y: y + 31 }, shortened(`\u00d7${times(frequency)}  ${linesInWords(lines, first)}`, 21)));
  drawn.addEventListener("click", () => choose(block));
  drawn.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(block);
    }
  });
  return drawn;
}

function markBlock(holder, block, isScrolled) {
  for (const marked of holder.querySelectorAll(".block.marked")) marked.classList.remove("marked");
  const drawn = block === null ? null : holder.querySelector(`[data-block="${block}"]`);
  if (!drawn) return;
  drawn.classList.add("marked");
  if (isScrolled) drawn.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}\u2026` : text);

/** The lines of a block: `lines 3-7`, or that of its first instruction, if it is from elsewhere. */
function linesInWords(lines, first) {
  if (!lines.length) return first ? `line ${first}` : "no line";
  const [low, high] = [lines[0], lines[lines.length - 1]];
  return low === high ? `line ${low}` : `lines ${low}-${high}`;
}
