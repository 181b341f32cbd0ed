// Highlights the source with Prism. Prism only splits text into tokens; `make` creates the elements, so no HTML is
// parsed.

const grammars = [
  [/\.rs$/, Prism.languages.rust],
  [/\.c$/, Prism.languages.c],
  [/./, Prism.languages.cpp],
];

const grammarOf = (path) => grammars.find(([pattern]) => pattern.test(path))?.[1];

/** An array with true for each line that begins inside a block comment. */
function linesInComments(texts) {
  const marks = /\/\/|\/\*|\*\/|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])'/g;
  let isInside = false;
  return texts.map((text) => {
    const before = isInside;
    for (const [mark] of text.matchAll(marks)) {
      if (isInside) isInside = mark !== "*/";
      else if (mark === "//") break;
      else isInside = mark === "/*";
    }
    return before;
  });
}

/** The DOM nodes of a highlighted line. `link(name)` returns the attributes of a link for a called function, or null. */
function highlighted(text, grammar, isInComment, link) {
  if (!grammar) return [text];
  if (!isInComment) return nodesOf(Prism.tokenize(text, grammar), link);
  const end = text.indexOf("*/");
  if (end < 0) return [make("span", { class: "tok-comment" }, text)];
  const rest = Prism.tokenize(text.slice(end + 2), grammar);
  return [make("span", { class: "tok-comment" }, text.slice(0, end + 2)), ...nodesOf(rest, link)];
}

function nodesOf(tokens, link) {
  return tokens.map((token) => {
    if (typeof token === "string") return token;
    const text = textOf(token);
    const target = token.type === "function" ? link(text) : null;
    if (target) return make("a", { class: "tok-function", ...target }, text);
    return make("span", { class: `tok-${String(token.type).replace(/[^a-z-]/g, "")}` }, text);
  });
}

/** The text of a token and of all nested tokens. */
function textOf(token) {
  let text = "";
  const waiting = [token];
  while (waiting.length) {
    const next = waiting.pop();
    if (typeof next === "string") text += next;
    else if (Array.isArray(next)) waiting.push(...[...next].reverse());
    else waiting.push(next.content);
  }
  return text;
}
