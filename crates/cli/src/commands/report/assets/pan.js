// A drawing that the user can move and zoom with the mouse, buttons and keys.

/** The minimum and maximum scale, and the minimum scale when a graph is opened. */
const [LEAST_SCALE, MOST_SCALE, READABLE_SCALE] = [0.02, 4, 0.6];

class Pan {
  /**
   * Fills `holder` with an SVG element and `toolbar` with buttons. The caller draws into the group `scene` and sets `size`:
   * the width and height of the drawing, and `start`, the x coordinate that [`fit`] keeps in sight.
   */
  constructor(holder, toolbar) {
    this.scene = makeSvg("g", { class: "scene" });
    this.svg = makeSvg("svg", { role: "group", "aria-label": "Control-flow graph" }, arrowHead(), this.scene);
    this.size = { width: 1, height: 1, start: 0 };
    this.view = { x: 0, y: 0, scale: 1 };
    const button = (text, title, onclick) => make("button", { type: "button", title, "aria-label": title, onclick }, text);
    this.percentage = make("span", { class: "scale" });
    toolbar.append(
      button("\u2212", "Smaller (-)", () => this.zoom(1 / 1.3)), this.percentage, button("+", "Larger (+)", () => this.zoom(1.3)),
      button("Fit", "Fit the graph (0)", () => this.fit()));
    this.holder = holder;
    holder.replaceChildren(this.svg);
    this.listen();
  }

  listen() {
    const { svg, holder } = this;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { left, top } = svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => { this.from = event.button === 0 ? [event.clientX, event.clientY] : null; });
    svg.addEventListener("pointermove", (event) => {
      if (!this.from || !(event.buttons & 1)) return;
      const [x, y] = [event.clientX - this.from[0], event.clientY - this.from[1]];
      if (!svg.hasPointerCapture(event.pointerId) && Math.hypot(x, y) < 4) return;
      svg.setPointerCapture(event.pointerId);
      this.from = [event.clientX, event.clientY];
      this.move(x, y);
    });
    holder.addEventListener("keydown", (event) => {
      const keys = {
        "+": () => this.zoom(1.3), "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), 0: () => this.fit(),
        ArrowLeft: () => this.move(60, 0), ArrowRight: () => this.move(-60, 0),
        ArrowUp: () => this.move(0, 60), ArrowDown: () => this.move(0, -60),
      };
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    // If Tab moves the focus to a block outside the view, the browser scrolls. The scrolling is undone, and the drawing
    // is moved.
    holder.addEventListener("focusin", (event) => {
      holder.scrollTo(0, 0);
      const block = event.target.closest?.(".block");
      if (block) this.reveal(block);
    });
  }

  move(x, y) {
    this.show({ ...this.view, x: this.view.x + x, y: this.view.y + y });
  }

  /** Changes the scale by `factor`. The point (x, y) of the SVG element stays in place. */
  zoom(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.view.scale * factor));
    const by = scale / this.view.scale;
    this.show({ scale, x: x - (x - this.view.x) * by, y: y - (y - this.view.y) * by });
  }

  /** Sets the scale at which the whole drawing fits, but at least `least`. If the drawing is too wide, `start` is in the middle. */
  fit(least = 0) {
    const { clientWidth, clientHeight } = this.svg;
    const { width, height, start } = this.size;
    const scale = Math.max(least, LEAST_SCALE, Math.min(1, (clientWidth - 16) / width, (clientHeight - 16) / height));
    const centred = (clientWidth - width * scale) / 2;
    const x = centred >= 8 ? centred : Math.min(8, Math.max(2 * centred - 8, clientWidth / 2 - start * scale));
    this.show({ scale, x, y: 8 });
  }

  show(view) {
    this.view = view;
    this.scene.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    this.percentage.textContent = `${Math.round(view.scale * 100)}%`;
  }

  /** If an element of the drawing is not completely visible, moves it to the middle. */
  reveal(element) {
    const [frame, box] = [this.svg.getBoundingClientRect(), element.getBoundingClientRect()];
    const isIn = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
    if (isIn) return;
    this.move((frame.left + frame.right - box.left - box.right) / 2, (frame.top + frame.bottom - box.top - box.bottom) / 2);
  }
}

function arrowHead() {
  const head = makeSvg("marker", {
    id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto",
    markerUnits: "userSpaceOnUse",
  }, makeSvg("path", { d: "M0 0 8 4 0 8z", class: "head" }));
  return makeSvg("defs", {}, head);
}
