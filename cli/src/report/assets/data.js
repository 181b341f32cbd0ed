// The data of the page: lines of JSON, each read when it is first looked at. Rust writes them: report/data.rs.

const lines = document.getElementById("data").textContent.split("\n");
const index = JSON.parse(lines[0]);
const records = new Map();

function record(number) {
  if (!records.has(number)) {
    records.set(number, JSON.parse(lines[number]));
    lines[number] = "";
  }
  return records.get(number);
}

/** All about function `place` of the index but its name. */
const functionRecord = (place) => record(1 + place);

/** Text `number` of the source: its first line, and its lines, or null. */
const textRecord = (number) => record(1 + index.functions.length + number);

/** A part of 1 in percent. Only what is certain is 0% or 100%. */
function percent(part) {
  if (part <= 0) return "0%";
  if (part >= 1) return "100%";
  if (part < 0.001) return "<0.1%";
  if (part > 0.999) return ">99.9%";
  return `${(part * 100).toFixed(1).replace(/\.0$/, "")}%`;
}

/** How often something runs. */
function times(number) {
  if (number >= 1e9) return number.toExponential(2);
  if (number >= 100) return Math.round(number).toLocaleString("en");
  if (number === 0) return "0";
  return number >= 0.001 ? String(Number(number.toPrecision(3))) : number.toExponential(1);
}

const often = (number) => (times(number) === "1" ? "once" : `${times(number)} times`);

/** From 0 to 100: how much of the most it is, by orders of magnitude. */
function heat(number, most) {
  if (!(number > 0) || !(most > 0)) return 0;
  return Math.max(4, 100 * (1 + Math.log10(number / most) / 4));
}

/** The place of a branch or of a call: file, line, column. */
const placeName = ([file, line, column]) => `${shortPath(index.files[file])}:${line}${column ? `:${column}` : ""}`;

/** A file and the folder that it is in. */
const shortPath = (path) => path.split("/").slice(-2).join("/");
