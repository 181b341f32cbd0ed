// Lists of any length. Only the visible rows are elements of the document.

class Rows {
  /** Each row is `height` pixels high. */
  constructor(holder, height) {
    this.holder = holder;
    this.height = height;
    this.count = 0;
    this.space = make("div", { class: "space" });
    holder.replaceChildren(this.space);
    holder.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(holder);
  }

  show(count, render) {
    this.count = count;
    this.render = render;
    this.space.style.height = `${count * this.height}px`;
    this.redraw();
  }

  redraw() {
    this.drawn = null;
    this.draw();
  }

  draw() {
    if (!this.render) return;
    const { scrollTop, clientHeight } = this.holder;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - 10);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / this.height) + 10);
    if (this.drawn === `${first} ${last}`) return;
    this.drawn = `${first} ${last}`;
    const rows = [];
    for (let place = first; place < last; place += 1) {
      const row = this.render(place);
      row.style.top = `${place * this.height}px`;
      row.style.height = `${this.height}px`;
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
  }

  /** Scrolls a hidden row into view. If `isMiddle` is true, the row is scrolled to the middle. */
  reveal(place, isMiddle = false) {
    const top = place * this.height;
    const { scrollTop, clientHeight } = this.holder;
    if (top >= scrollTop && top + this.height <= scrollTop + clientHeight) return;
    if (isMiddle) this.holder.scrollTop = Math.max(0, top - clientHeight / 2);
    else this.holder.scrollTop = top < scrollTop ? top : top + this.height - clientHeight;
    this.draw();
  }
}

/** Handles the arrow, Page, Home and End keys in a list: calls `move(place)` with the new row. */
function listKeys(holder, count, chosen, move) {
  holder.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(holder.clientHeight / 40));
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = Math.min(count() - 1, Math.max(0, chosen() + steps[event.key]));
    if (count() > 0) move(to);
  });
}
