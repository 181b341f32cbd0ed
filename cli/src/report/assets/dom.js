// Making elements. Text is only ever set as text, so that no name and no line of the source is read as HTML.

/** An element: `make("p", {class: "quiet"}, "text", otherElement)`. */
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

/** A row of tabs; `tabs` are pairs of a key and a title. */
function showTabs(holder, tabs, chosen, choose) {
  holder.replaceChildren(
    ...tabs.map(([key, title]) =>
      make("button", { type: "button", role: "tab", "aria-selected": String(key === chosen), onclick: () => choose(key) },
        title)));
}

/** The shares of both ways as one bar; of a switch, those of all. */
function splitBar(sides, attributes, name = "span") {
  const most = Math.max(...sides.map((side) => side.share));
  const isSure = sides.filter((side) => side.share === most).length === 1;
  const parts = sides.slice(0, 50).map((side) => make("i", {
    class: isSure && side.share === most ? "part most" : "part", style: { width: `${side.share * 100}%` },
  }));
  return make(name, attributes, ...parts);
}
