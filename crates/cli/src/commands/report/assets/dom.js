// Creates elements. Text is always added as text nodes, so names and source lines are never parsed as HTML.

/** Creates an element: `make("p", {class: "quiet"}, "text", otherElement)`. */
function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function makeSvg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (key === "style") for (const [name, to] of Object.entries(value)) element.style.setProperty(name, to);
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const byId = (id) => document.getElementById(id);

/** Fills `holder` with a row of tabs. `tabs` are pairs of a key and a title. */
function showTabs(holder, tabs, chosen, choose) {
  holder.replaceChildren(
    ...tabs.map(([key, title]) =>
      make("button", { type: "button", role: "tab", "aria-selected": String(key === chosen), onclick: () => choose(key) },
        title)));
}

/** Fills a `select` with pairs of a key and a title. */
function showChoices(select, choices, chosen) {
  select.replaceChildren(...choices.map(([key, title]) => make("option", { value: key }, title)));
  select.value = chosen;
}
