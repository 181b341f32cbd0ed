// Draws bars of probabilities. The colour shows the kind: predicted, measured, or compared.

/** A bar with the probabilities of a branch's successors; `key` is `share` (predicted), `measured` or `against`. */
function splitBar(successors, key) {
  const shares = successors.map((successor) => successor[key] ?? 0);
  const most = Math.max(...shares);
  const isSure = shares.filter((share) => share === most).length === 1;
  // For a wide switch, the bar has only two parts: the likeliest successor, and the sum of all other successors.
  const shown = shares.length > MOST_SUCCESSORS ? [most, 1 - most] : shares;
  const parts = shown.map((share) =>
    make("i", { class: isSure && share === most ? "part most" : "part", style: { width: `${share * 100}%` } }));
  return make("span", { class: `split ${key}` }, ...parts);
}

/** The bar of the prediction. If the branch has profiled counts, the bar of the profile follows. */
function splitBars(branch) {
  const bars = [splitBar(branch.successors, "share")];
  if (isMeasured(branch)) bars.push(splitBar(branch.successors, "measured"));
  return bars;
}

const isMeasured = (branch) => branch.successors.some((successor) => successor.measured !== undefined);

/** The kinds of probabilities that a branch has, as pairs of a key in the data and a name. */
function kindsOf(branch) {
  const kinds = [["share", "predicted"]];
  if (branch.successors.some((successor) => successor.against !== undefined)) {
    kinds[0][1] = index.prediction;
    kinds.push(["against", index.against]);
  }
  if (isMeasured(branch)) kinds.push(["measured", "measured"]);
  return kinds;
}

/** A bar for the probability `share`, with the name of its kind and the percentage. */
const shareBar = (key, name, share) => [
  make("span", { class: "legend" }, name),
  make("span", { class: `bar ${key}` }, make("i", { style: { width: `${share * 100}%` } })),
  make("span", { class: "amount" }, percent(share)),
];

/** A bar in a row of a list. The whole bar stands for 1. Without data, `part` is negative and there is no bar. */
const meter = (part) => (part < 0 ? null : make("span", { class: "meter" }, make("i", { style: { width: `${Math.min(1, part) * 100}%` } })));

/** The text for a branch without profiled probabilities. */
const withoutMeasure = (branch) => (branch.executions === 0 ? "no execution" : "no data");

/** The predicted and measured probabilities of a branch in a list. Each kind has a line. */
function shareLines(branch) {
  const shares = (key) => (branch.successors.length === 2
    ? branch.successors.map((successor) => percent(successor[key] ?? 0)).join(" : ")
    : `${percent(Math.max(...branch.successors.map((successor) => successor[key] ?? 0)))}, ${branch.successors.length} successors`);
  const rest = !index.measured || isMeasured(branch) ? []
    : [make("span", { class: "legend" }, "measured"), make("span", { class: "none" }, withoutMeasure(branch))];
  return make("span", { class: "shares" }, ...kindsOf(branch).flatMap(([key, name]) => [
    make("span", { class: "legend" }, name), splitBar(branch.successors, key), make("span", {}, shares(key))]), ...rest);
}
