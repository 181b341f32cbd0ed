// Assigns the blocks of a function to layers. Each block is below its predecessors, except for back edges. The steps
// follow Kozo Sugiyama, Shojiro Tagawa and Mitsuhiko Toda, "Methods for visual understanding of hierarchical system
// structures" (1981).

const BLOCK_WIDTH = 150;
const BLOCK_HEIGHT = 40;
/** The height of the row of probabilities at the bottom of a block, and the width of each probability in this row. */
const PORT_HEIGHT = 18;
const PORT_WIDTH = 52;
const GAP = 24;
const BEND_WIDTH = 14;
const LAYER_GAP = 50;
const LAYER_HEIGHT = BLOCK_HEIGHT + PORT_HEIGHT + LAYER_GAP;
/** The maximum number of blocks in a layer. The successors of a wide switch are in several layers. */
const MOST_IN_LAYER = 12;

/**
 * Computes the positions of blocks and the points of edges. `successors` are the successors of each block. The entry is
 * block 0.
 */
function layOut(successors) {
  const backward = backEdges(successors);
  const layers = layersOf(successors, backward);
  const graph = withBends(successors, backward, layers);
  order(graph);
  place(graph);
  return graph;
}

/** The edges that close a cycle, as texts `from to`. A depth-first search with an explicit stack finds these edges. */
function backEdges(successors) {
  const state = new Uint8Array(successors.length);
  const found = new Set();
  for (let root = 0; root < successors.length; root += 1) {
    if (state[root]) continue;
    const stack = [[root, 0]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      const target = successors[top[0]][top[1]];
      top[1] += 1;
      if (target === undefined) {
        state[top[0]] = 2;
        stack.pop();
      } else if (state[target] === 1) {
        found.add(`${top[0]} ${target}`);
      } else if (state[target] === 0) {
        state[target] = 1;
        stack.push([target, 0]);
      }
    }
  }
  return found;
}

/** The layer of each block. A block is below its predecessors, and a layer has at most `MOST_IN_LAYER` blocks. */
function layersOf(successors, backward) {
  const layers = new Array(successors.length).fill(0);
  const waiting = new Array(successors.length).fill(0);
  const sizes = [];
  const forward = (from) => successors[from].filter((to) => !backward.has(`${from} ${to}`));
  successors.forEach((_, from) => forward(from).forEach((to) => { waiting[to] += 1; }));
  const ready = waiting.flatMap((count, block) => (count === 0 ? [block] : []));
  while (ready.length) {
    const from = ready.pop();
    while ((sizes[layers[from]] ?? 0) >= MOST_IN_LAYER) layers[from] += 1;
    sizes[layers[from]] = (sizes[layers[from]] ?? 0) + 1;
    for (const to of forward(from)) {
      layers[to] = Math.max(layers[to], layers[from] + 1);
      waiting[to] -= 1;
      if (waiting[to] === 0) ready.push(to);
    }
  }
  return layers;
}

/**
 * The nodes of each layer: blocks, and bends of edges. An edge has a bend in each layer between its two blocks. A back edge
 * also has a bend in the layers of its two blocks.
 */
function withBends(successors, backward, layers) {
  const nodes = successors.map((targets, block) => ({
    block, layer: layers[block], up: [], down: [],
    width: Math.max(BLOCK_WIDTH, targets.length > MOST_SUCCESSORS ? 0 : targets.length * PORT_WIDTH) + GAP,
  }));
  const edges = [];
  const join = (path) => path.slice(1).forEach((node, place) => {
    node.up.push(path[place]);
    path[place].down.push(node);
  });
  successors.forEach((targets, from) => targets.forEach((to, successor) => {
    const isBack = backward.has(`${from} ${to}`);
    const [high, low] = isBack ? [to, from] : [from, to];
    const bends = [];
    const [first, last] = isBack ? [layers[high], layers[low]] : [layers[high] + 1, layers[low] - 1];
    for (let layer = first; layer <= last; layer += 1) {
      bends.push({ block: null, layer, up: [], down: [], width: BEND_WIDTH, beside: isBack ? nodes[from] : null });
    }
    nodes.push(...bends);
    join(isBack ? bends : [nodes[high], ...bends, nodes[low]]);
    edges.push({ from: nodes[from], to: nodes[to], successor, isBack, bends: isBack ? bends.reverse() : bends });
  }));
  const rows = [];
  nodes.forEach((node) => (rows[node.layer] ??= []).push(node));
  return { nodes, edges, rows };
}

/**
 * Sorts the nodes of each layer by the mean place of their neighbours in the layer above or below. Passes downwards and
 * upwards alternate.
 */
function order({ rows }) {
  rows.forEach((row) => row.forEach((node, place) => { node.place = place; }));
  for (let round = 0; round < 8; round += 1) {
    const isDown = round % 2 === 0;
    for (const row of isDown ? rows : [...rows].reverse()) {
      row.forEach((node) => {
        const joined = isDown ? node.up : node.down;
        const isEnd = node.beside?.layer === node.layer;
        if (isEnd) node.wanted = node.beside.place + 0.5;
        else node.wanted = joined.length ? mean(joined.map((other) => other.place)) : node.place;
      });
      row.sort((one, other) => one.wanted - other.wanted);
      row.forEach((node, place) => { node.place = place; });
    }
  }
}

/** Moves nodes towards the middle of their neighbours in the layer above or below. The order of nodes does not change. */
function place(graph) {
  const { rows, nodes } = graph;
  for (const row of rows) {
    let x = 0;
    for (const node of row) {
      node.x = x + node.width / 2;
      x += node.width;
    }
  }
  for (let round = 0; round < 10; round += 1) {
    const isDown = round % 2 === 0;
    for (const row of isDown ? rows : [...rows].reverse()) {
      const wanted = row.map((node) => {
        const joined = isDown ? node.up : node.down;
        return joined.length ? mean(joined.map((other) => other.x)) : node.x;
      });
      apart(row, wanted);
    }
  }
  const left = Math.min(...nodes.map((node) => node.x - node.width / 2));
  nodes.forEach((node) => {
    node.x -= left;
    node.y = node.layer * LAYER_HEIGHT + GAP;
  });
  graph.width = Math.max(...nodes.map((node) => node.x + node.width / 2));
  graph.height = rows.length * LAYER_HEIGHT;
}

/**
 * Positions the nodes of a row near `wanted` without overlaps. The positions are the mean of two solutions: the first
 * solution pushes nodes to the right, and the second solution pushes nodes to the left.
 */
function apart(row, wanted) {
  const rightwards = [...wanted];
  for (let i = 1; i < row.length; i += 1) {
    rightwards[i] = Math.max(wanted[i], rightwards[i - 1] + (row[i - 1].width + row[i].width) / 2);
  }
  const leftwards = [...wanted];
  for (let i = row.length - 2; i >= 0; i -= 1) {
    leftwards[i] = Math.min(wanted[i], leftwards[i + 1] - (row[i + 1].width + row[i].width) / 2);
  }
  row.forEach((node, i) => { node.x = (rightwards[i] + leftwards[i]) / 2; });
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
