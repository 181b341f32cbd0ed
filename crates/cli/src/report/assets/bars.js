// Draws bars of probabilities. Each kind has a colour, and a name if there are several kinds.

/** A bar with the probabilities of a branch's successors; `key` is `share` (predicted), `measured` or `against`. */
function splitBar(successors, key) {
  const shares = successors.map((successor) => successor[key] ?? 0);
  const most = Math.max(...shares);
  const isSure = shares.filter((share) => share === most).length === 1;
  // For a wide switch, only the likeliest successor and the sum of the others are drawn.
  const shown = shares.length > MOST_SUCCESSORS ? [most, 1 - most] : shares;
  const parts = shown.map((share) =>
    make("i", { class: isSure && share === most ? "part most" : "part", style: { width: `${share * 100}%` } }));
  return make("span", { class: `split ${key}` }, ...parts);
}

/** The bar of the prediction, and below it the bar of the profile, if any. */
function splitBars(branch) {
  const bars = [splitBar(branch.successors, "share")];
  if (isMeasured(branch)) bars.push(splitBar(branch.successors, "measured"));
  return bars;
}

const isMeasured = (branch) => branch.successors.some((successor) => successor.measured !== undefined);

/** The kinds of shares that a branch has, as pairs of a key and a name. */
function kindsOf(branch) {
  const kinds = [["share", "predicted"]];
  if (branch.successors.some((successor) => successor.against !== undefined)) {
    kinds[0][1] = index.answer;
    kinds.push(["against", index.against]);
  }
  if (isMeasured(branch)) kinds.push(["measured", "measured"]);
  return kinds;
}

/** A bar for one share, with its name and its number. */
const shareBar = (key, name, share) => [
  make("span", { class: "legend" }, name),
  make("span", { class: `bar ${key}` }, make("i", { style: { width: `${share * 100}%` } })),
  make("span", { class: "amount" }, percent(share)),
];

/** A bar of a list; all are equally wide. */
const meter = (part) => make("span", { class: "meter" }, make("i", { style: { width: `${Math.min(1, part) * 100}%` } }));

/** The text for a branch without a measured share. */
const withoutMeasure = (branch) => (branch.executions === 0 ? "no execution" : "no data");

/** Predicted and measured shares of a branch in a list, a line each. */
function shareLines(branch) {
  const shares = (key) => (branch.successors.length === 2
    ? branch.successors.map((successor) => percent(successor[key] ?? 0)).join(" : ")
    : `${percent(Math.max(...branch.successors.map((successor) => successor[key] ?? 0)))}, ${branch.successors.length} successors`);
  const rest = !index.measured || isMeasured(branch) ? []
    : [make("span", { class: "legend" }, "measured"), make("span", { class: "none" }, withoutMeasure(branch))];
  return make("span", { class: "shares" }, ...kindsOf(branch).flatMap(([key, name]) => [
    make("span", { class: "legend" }, name), splitBar(branch.successors, key), make("span", {}, shares(key))]), ...rest);
}
