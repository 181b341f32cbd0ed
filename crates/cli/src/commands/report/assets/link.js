// Links to parts of the page: `#f=SYMBOL&n=2&line=7&branch=3`. If several functions have the same symbol, `n` is the
// number of the function among these functions, from 1.

const symbolOf = (entry) => entry.symbol ?? entry.name;
const functionsBySymbol = new Map();

function functionsOfSymbol(symbol) {
  if (!functionsBySymbol.size) {
    index.functions.forEach((entry, place) => {
      const key = symbolOf(entry);
      if (!functionsBySymbol.has(key)) functionsBySymbol.set(key, []);
      functionsBySymbol.get(key).push(place);
    });
  }
  return functionsBySymbol.get(symbol) ?? [];
}

/** The address of a function, optionally with a line or a branch. */
function addressOf(place, line = null, branch = null) {
  const symbol = symbolOf(index.functions[place]);
  const same = functionsOfSymbol(symbol);
  const parts = new URLSearchParams({ f: symbol });
  if (same.length > 1) parts.set("n", same.indexOf(place) + 1);
  if (line > 0) parts.set("line", line);
  if (branch !== null) parts.set("branch", branch);
  return `#${parts}`;
}

/**
 * The function, line and branch in an address, or null if the page does not contain the function. The address may contain a
 * name instead of a symbol.
 */
function targetOf(address) {
  const parts = new URLSearchParams(address.replace(/^#/, ""));
  const name = parts.get("f");
  if (!name) return null;
  const same = functionsOfSymbol(name);
  const place = same[Math.max(1, Number(parts.get("n")) || 1) - 1] ??
    index.functions.findIndex((entry) => entry.name === name || baseName(entry.name) === name);
  if (place === undefined || place < 0) return null;
  const number = (key) => (/^\d+$/.test(parts.get(key) ?? "") ? Number(parts.get(key)) : null);
  return { place, line: number("line"), branch: number("branch") };
}
