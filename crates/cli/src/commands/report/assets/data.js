// The data of the page, as lines of JSON that report/data.rs writes. A line is parsed when its data are first needed.

const lines = document.getElementById("data").textContent.split("\n");
const index = JSON.parse(lines[0]);
const systemFiles = new Set(index.system);
const records = new Map();

function record(number) {
  if (!records.has(number)) {
    records.set(number, JSON.parse(lines[number]));
    lines[number] = "";
  }
  return records.get(number);
}

/** All data about the function at position `place` of the index, except the function's name. Unknown numbers are NaN. */
function functionRecord(place) {
  if (!records.has(1 + place)) {
    const { blocks, loops } = record(1 + place);
    for (const block of blocks) block[1] ??= NaN;
    for (const loop of loops) Object.assign(loop, { trips: loop.trips ?? NaN, entries: loop.entries ?? NaN });
  }
  return record(1 + place);
}

/** Source text `number`: the number of its first line, and its lines. The lines are null if the file could not be read. */
const textRecord = (number) => record(1 + index.functions.length + number);

/** The groups of items in a list. The items of `SYSTEM` and of `EXCEPTIONAL` are folded into one row per group. */
const [OWN, SYSTEM, EXCEPTIONAL] = [0, 1, 2];

const groupOfFunction = (entry) => (systemFiles.has(entry.file) ? SYSTEM : OWN);

function groupOfBranch(branch) {
  if (branch.exceptional) return EXCEPTIONAL;
  return branch.at && systemFiles.has(branch.at[0]) ? SYSTEM : OWN;
}

/** A probability in percent. Only the probabilities 0 and 1 are printed as 0% and 100%. */
function percent(part) {
  if (part <= 0) return "0%";
  if (part >= 1) return "100%";
  if (part < 0.001) return "<0.1%";
  if (part > 0.999) return ">99.9%";
  return `${(part * 100).toFixed(1).replace(/\.0$/, "")}%`;
}

/** An estimated number of executions, rounded to three digits. */
function times(number) {
  if (Number.isNaN(number)) return "?";
  if (number >= 1e9) return number.toExponential(2);
  if (number >= 100) return Math.round(number).toLocaleString("en");
  if (number === 0) return "0";
  return number >= 0.001 ? String(Number(number.toPrecision(3))) : number.toExponential(1);
}

/** A measured number of executions, with all digits. */
const exact = (number) => Math.round(number).toLocaleString("en");

const often = (number) => (Number.isNaN(number) ? "an unknown number of times" : times(number) === "1" ? "once" : `${times(number)} times`);

const counted = (number, what, several = `${what}s`) => `${exact(number)} ${number === 1 ? what : several}`;

/**
 * The colour of a number of executions per call, on a logarithmic scale from -100 (at most 0.001) to 100 (at least
 * 1000). The colour of 1 is 0. Numbers that differ from 1 by more than 7% have at least the colour 15 or -15, which is
 * visible.
 */
function heat(number) {
  if (Number.isNaN(number)) return 0;
  if (!(number > 0)) return -100;
  const magnitude = Math.max(-1, Math.min(1, Math.log10(number) / 3));
  if (Math.abs(magnitude) < 0.01) return 0;
  return Math.sign(magnitude) * (15 + 85 * Math.abs(magnitude));
}

/** The text `file:line:column` for the position of a branch or of a call. */
const placeName = ([file, line, column]) => `${shortPath(index.files[file])}:${line}${column ? `:${column}` : ""}`;

/** A relative path, or the last two components of an absolute path. */
const shortPath = (path) => (path.startsWith("/") ? path.split("/").slice(-2).join("/") : path);

/** A function's name without namespaces, template arguments and parameters. */
function baseName(name) {
  let depth = 0;
  let base = "";
  for (const character of name.replace(/operator\s*(<<|>>|<=>|->|[<>()]+)/g, "operator")) {
    if (character === "<") depth += 1;
    else if (character === ">") depth -= 1;
    else if (depth === 0 && character === "(") {
      if (base && base !== "operator") break;
      depth += 1;
    } else if (character === ")") depth -= 1;
    else if (depth <= 0) base = character === ":" || character === " " ? "" : base + character;
  }
  return base;
}

/** The position in a function's name after its namespaces and classes. */
function scopeEnd(name) {
  let [depth, end] = [0, 0];
  for (let place = 0; place < name.length; place += 1) {
    if (name[place] === "(" && depth === 0 && place > end) break;
    if (name[place] === "(" || name[place] === "<") depth += 1;
    else if (name[place] === ")" || name[place] === ">") depth = Math.max(0, depth - 1);
    else if (name[place] === ":" && depth === 0) end = place + 1;
  }
  return end;
}

const numberOfName = new Map();
for (const { name } of index.functions) numberOfName.set(name, (numberOfName.get(name) ?? 0) + 1);

/** The name of a function in a list. If several functions have the name, it is followed by the function's file. */
function listedName({ name, file }) {
  const isAlone = numberOfName.get(name) === 1 || file === null;
  return isAlone ? name : `${name} (${index.files[file].split("/").pop()})`;
}

const namedFunctions = new Map();

/** The functions in the index whose base name is `base`. */
function functionsNamed(base) {
  if (!namedFunctions.size) {
    index.functions.forEach((entry, place) => {
      const name = baseName(entry.name);
      if (!namedFunctions.has(name)) namedFunctions.set(name, []);
      namedFunctions.get(name).push(place);
    });
  }
  return namedFunctions.get(base) ?? [];
}
