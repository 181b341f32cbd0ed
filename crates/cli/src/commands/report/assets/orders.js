// The orders of the lists on the left. The first order is the default.

const descending = (amount) => (one, other) => amount(other) - amount(one);
const bySource = (one, other) => compareSource(index.functions[one[0]], index.functions[other[0]]);

function compareSource(one, other) {
  const path = (entry) => (entry.file === null ? "\uffff" : index.files[entry.file]);
  return path(one).localeCompare(path(other), "en") || one.line - other.line || one.name.localeCompare(other.name, "en");
}

const byBranchSource = (one, other) => {
  const at = ([place, number]) => functionRecord(place).branches[number].at ?? [-1, 0, 0];
  const [a, b] = [at(one), at(other)];
  return (index.files[a[0]] ?? "\uffff").localeCompare(index.files[b[0]] ?? "\uffff", "en") || a[1] - b[1] || a[2] - b[2];
};

const entryOf = ([place]) => index.functions[place];

/** The name of the estimated time. With a profile, the executions of blocks are measured, but the time of each execution is estimated. */
const TIME = index.measured ? "estimate of time from measured executions" : "static estimate of time";

const measuredRuns = ({ ran, count, branches }) => (ran !== undefined ? counted(ran, "branch execution")
  : count === undefined ? "no data" : branches ? "no branch execution" : "no branch");

/** The orders of functions: a key, a title, the value that is compared and drawn as a bar, and the text of a row. */
const FUNCTION_ORDERS = [
  ...(index.measured ? [
    ["ran", "measured branch executions", (entry) => entry.ran ?? -1, measuredRuns],
    ["count", "measured calls", (entry) => entry.count ?? -1, (entry) => (entry.count === undefined ? "no data" : counted(entry.count, "call"))],
  ] : []),
  ["ruled", "branches predicted by a rule", (entry) => entry.ruled, (entry) => `${exact(entry.ruled)} of ${counted(entry.branches, "branch", "branches")} by a rule`],
  ["source", "source: file, line", null, (entry) => (entry.file === null ? "no source" : `${shortPath(index.files[entry.file])}:${entry.line || "?"}`)],
  ["name", "name", null, (entry) => counted(entry.branches, "branch", "branches")],
  ["share", TIME, (entry) => entry.share ?? -1, (entry) => (entry.share === undefined ? "no data" : `${percent(entry.share)} estimated`)],
].map(([key, title, amount, words]) => ({
  key, title, amount: amount && ((item) => amount(entryOf(item))), words: (item) => words(entryOf(item)),
  compare: amount ? descending((item) => amount(entryOf(item)))
    : key === "source" ? bySource : (one, other) => entryOf(one).name.localeCompare(entryOf(other).name, "en"),
}));

const STATIC_ORDER = "static estimate of executions";

/** The orders of a list of branches. `title` describes the amount in each row. */
const branchOrders = (title) => [
  { key: "amount", title, compare: descending(([, , amount]) => amount) },
  { key: "source", title: "source: file, line", compare: byBranchSource },
];

/** Longer explanations of orders, by key or title. */
const ORDER_NOTES = {
  share: index.measured
    ? "Estimate of time, as a share of all functions with a profile: the instructions of each block before optimisation, times its measured executions. A front-end profile has no counters for functions in system headers."
    : `Static estimate: instructions per run of the program, from predicted frequencies and calls only. Here, ${index.estimated}. In 28 programs with LLVM's rules, the 10% of functions with the most estimated time had ${index.is_whole ? 53 : 49}% of the measured time of the 10% with the most measured time.`,
  [STATIC_ORDER]: `Static estimate: executions per call of the function (at most ${index.most_per_call}) times estimated calls of the function (at most ${index.most_calls}).`,
};
