// Draws the control-flow graph of a function. A block has the same colour as its source lines. Thick arrows are
// frequent edges, dashed arrows are back edges. The probabilities of a branch are in a row at the bottom of its block,
// because they could overlap beside the arrows.

/** If a function has more blocks than this, only the `SURROUNDINGS` blocks nearest to the selected block are drawn. */
const MOST_BLOCKS = 250;
const SURROUNDINGS = 80;

/**
 * Draws the graph of the function `record` into the SVG group `scene`. Returns the size, the x coordinate of the first block,
 * and a note about omitted blocks.
 */
function drawGraph(scene, record, chosen, choose) {
  const blocks = blocksToDraw(record, chosen ?? 0);
  const numbers = new Map(blocks.map((block, number) => [block, number]));
  const edges = blocks.map(() => new Map());
  for (const [from, to, share] of record.edges) {
    if (!numbers.has(from) || !numbers.has(to)) continue;
    const [outgoing, target] = [edges[numbers.get(from)], numbers.get(to)];
    outgoing.set(target, (outgoing.get(target) ?? 0) + share);
  }
  const graph = layOut(edges.map((outgoing) => [...outgoing.keys()]));
  const ports = portsOf(graph);
  const most = Math.max(...record.blocks.map((block) => block[1] || 0)) || 1;
  const shareOf = (edge) => edges[edge.from.block].get(edge.to.block);
  scene.replaceChildren(
    ...graph.edges.map((edge) => drawEdge(edge, ports.get(edge), shareOf(edge), (record.blocks[blocks[edge.from.block]][1] * shareOf(edge)) / most)),
    ...graph.nodes.filter((node) => node.block !== null).map((node) => {
      const own = graph.edges.filter((edge) => edge.from === node);
      const count = successorCount(record, blocks[node.block]);
      const labels = count > MOST_SUCCESSORS ? [[`${count} successors`, node.x]]
        : own.length > 1 ? own.map((edge) => [percent(shareOf(edge)), ports.get(edge)]) : [];
      return drawBlock(node, record, blocks[node.block], labels, choose);
    }));
  const note = blocks.length < record.blocks.length
    ? `${record.blocks.length} blocks: only the blocks around ${record.blocks[chosen ?? 0][0]} are drawn.` : null;
  const start = graph.nodes.find((node) => node.block === 0).x;
  return { width: graph.width, height: graph.height, start, note };
}

/** The number of successors of a block, including successors that are not drawn. */
const successorCount = (record, block) => new Set(record.edges.filter(([from]) => from === block).map(([, to]) => to)).size;

/** All blocks, or the blocks nearest to `around`. */
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

/**
 * The x coordinate where each edge leaves its block. To avoid crossings, the edges are sorted by the x coordinate of their
 * next point.
 */
function portsOf(graph) {
  const edgesOf = new Map();
  for (const edge of graph.edges) {
    if (!edgesOf.has(edge.from)) edgesOf.set(edge.from, []);
    edgesOf.get(edge.from).push(edge);
  }
  const ports = new Map();
  for (const [node, edges] of edgesOf) {
    const next = (edge) => (edge.bends[0] ?? edge.to).x;
    edges.sort((one, other) => next(one) - next(other));
    const width = (node.width - GAP) / edges.length;
    edges.forEach((edge, place) => ports.set(edge, node.x - (node.width - GAP) / 2 + (place + 0.5) * width));
  }
  return ports;
}

function drawEdge(edge, port, share, weight) {
  const title = makeSvg("title", {}, percent(share));
  return makeSvg("path", {
    class: edge.isBack ? "edge back" : "edge", d: pathOf(edge, port), "marker-end": "url(#arrow)",
    "stroke-width": (0.8 + 3.2 * Math.sqrt(Math.min(1, weight || 0))).toFixed(2),
  }, title);
}

/**
 * The SVG path of an edge from `port`, the x coordinate at the bottom of a block, to the top of another block. A back edge
 * runs upwards beside the blocks.
 */
function pathOf(edge, port) {
  const bottom = BLOCK_HEIGHT + PORT_HEIGHT;
  let path = `M${port} ${edge.from.y + bottom}`;
  if (edge.isBack) {
    let [x, y] = [edge.bends[0].x, edge.bends[0].y + bottom];
    path += `C${port} ${y + 30} ${x} ${y + 30} ${x} ${y}`;
    for (const bend of edge.bends) {
      path += `C${x} ${(y + bend.y + bottom) / 2} ${bend.x} ${(y + bend.y + bottom) / 2} ${bend.x} ${bend.y + bottom}L${bend.x} ${bend.y}`;
      [x, y] = [bend.x, bend.y];
    }
    const end = edge.to.x + (x < edge.to.x ? -1 : 1) * 30;
    return `${path}C${x} ${y - 26} ${end} ${y - 26} ${end} ${y}`;
  }
  let [x, y] = [port, edge.from.y + bottom];
  for (const node of [...edge.bends, edge.to]) {
    const middle = (y + node.y) / 2;
    path += `C${x} ${middle} ${node.x} ${middle} ${node.x} ${node.y}`;
    if (node.block === null) path += `L${node.x} ${node.y + bottom}`;
    [x, y] = [node.x, node.y + bottom];
  }
  return path;
}

/** Draws a block. `labels` are pairs of a text and the x coordinate of its middle. */
function drawBlock(node, record, block, labels, choose) {
  const [name, frequency, , lines, first] = record.blocks[block];
  const width = node.width - GAP;
  const [x, y] = [node.x - width / 2, node.y];
  const height = BLOCK_HEIGHT + PORT_HEIGHT;
  const inWords = linesInWords(lines, first);
  const drawn = makeSvg("g", {
    class: "block", tabindex: 0, role: "button", "data-block": block,
    "aria-label": `block ${name}, ${often(frequency)} per call, ${inWords}`,
  },
  makeSvg("rect", { x, y, width, height, rx: 5, class: "ground" }),
  makeSvg("rect", { x, y, width, height: BLOCK_HEIGHT, rx: 5, class: "heat", ...heatAttributes(frequency) }),
  makeSvg("text", { x: x + 8, y: y + 16 }, shortened(name, 20)),
  makeSvg("text", { x: x + 8, y: y + 32 }, shortened(`\u00d7${times(frequency)} ${inWords}`, 20)),
  ...labels.map(([label, at]) => makeSvg("text", { class: "share", x: at, y: y + BLOCK_HEIGHT + 13 }, label)),
  makeSvg("rect", { x, y, width, height, rx: 5, class: "frame" }));
  drawn.addEventListener("click", () => choose(block));
  drawn.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(block);
  });
  return drawn;
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}\u2026` : text);

/** The lines of a block: `lines 3-7`, or the line of its first instruction if the block is from another function. */
function linesInWords(lines, first) {
  if (!lines.length) return first ? `line ${first}` : "no line";
  const [low, high] = [lines[0], lines[lines.length - 1]];
  return low === high ? `line ${low}` : `lines ${low}-${high}`;
}
