// The panel on the right: the branches, the graph and the loops of the function.

class Panel {
  /** `shown` is the selection, and `actions` are the functions in main.js that change it. */
  constructor(holder, shown, actions) {
    this.holder = holder;
    this.shown = shown;
    this.actions = actions;
    this.branches = null;
    this.pan = null;
  }

  show() {
    const record = functionRecord(this.shown.function);
    const tabs = [["branches", `Branches ${record.branches.length}`], ["graph", "Graph"], ["loops", `Loops ${record.loops.length}`]];
    showTabs(byId("right-tabs"), tabs, this.shown.panel, (panel) => {
      this.shown.panel = panel;
      this.show();
    });
    this.branches = null;
    this.pan = null;
    if (this.shown.panel === "branches") this.showBranches(record);
    else if (this.shown.panel === "graph") this.showGraph(record);
    else this.holder.replaceChildren(make("div", { class: "scrolled", tabindex: 0 }, loopTable(record, this.actions.chooseBlock)));
  }

  showBranches(record) {
    const { shown, actions } = this;
    const holder = make("div", { class: "rows", tabindex: 0, role: "listbox", "aria-label": "Branches" });
    this.holder.replaceChildren(holder);
    const items = this.visibleBranches();
    this.items = items;
    const lineCount = 1 + Number(index.measured) + Number(index.against !== null);
    this.branches = new Rows(holder, 30 + 18 * lineCount);
    const activate = ({ item, group }) => (item === undefined ? actions.toggle(group) : actions.chooseBranch(item));
    this.branches.show(items.length, (place) => {
      const { item, ...fold } = items[place];
      return make("div", {
        class: "row", role: "option", "aria-selected": String(item !== undefined && item === shown.branch),
        ...(item === undefined ? { "data-fold": fold.group } : { "data-branch": item }), onclick: () => activate(items[place]),
      }, ...(item === undefined ? foldNodes(fold) : branchSummary(record, record.branches[item], positionOf(record, record.branches[item]))));
    });
    const at = () => items.findIndex(({ item }) => item === shown.branch && item !== undefined);
    listKeys(holder, () => items.length, at, (place) => activate(items[place]));
  }

  /** The rows of the list of branches: branches, and a row for each folded group. */
  visibleBranches() {
    const { branches } = functionRecord(this.shown.function);
    return folded(branches.map((_, place) => place), (place) => groupOfBranch(branches[place]), this.shown.opened);
  }

  showGraph(record) {
    const toolbar = make("div", { class: "tools" });
    const note = make("p", { class: "note" });
    const holder = make("div", { class: "graph", tabindex: 0, "aria-label": "Graph: + and - enlarge, 0 fits, arrows move" });
    this.holder.replaceChildren(toolbar, note, holder);
    this.pan = new Pan(holder, toolbar);
    toolbar.append(make("button", { type: "button", title: "Widen or narrow (w)", onclick: () => this.actions.widen() }, "Wide"));
    const { note: left, ...size } = drawGraph(this.pan.scene, record, this.shown.block, this.actions.chooseBlock);
    note.textContent = left ?? "";
    this.pan.size = size;
    this.pan.fit(READABLE_SCALE);
    this.markBlock();
  }

  /** Highlights the selected branch or block. */
  follow() {
    const record = functionRecord(this.shown.function);
    if (this.branches) {
      const place = this.items.findIndex(({ item }) => item !== undefined && item === this.shown.branch);
      if (place >= 0) this.branches.reveal(place);
      this.branches.redraw();
    } else if (this.pan) {
      // If the graph of a large function does not contain the selected block, the blocks around this block are drawn.
      const isPart = record.blocks.length > MOST_BLOCKS;
      if (isPart && this.shown.block !== null && !this.drawn(this.shown.block)) this.showGraph(record);
      else this.markBlock();
    }
  }

  drawn(block) {
    return this.pan.scene.querySelector(`[data-block="${block}"]`);
  }

  markBlock() {
    for (const marked of this.pan.scene.querySelectorAll(".block.marked")) marked.classList.remove("marked");
    const drawn = this.shown.block === null ? null : this.drawn(this.shown.block);
    if (!drawn) return;
    drawn.classList.add("marked");
    this.pan.reveal(drawn);
  }
}

/** The text `line:column` for the position of a branch, or `file:line` for an inlined branch. */
function positionOf(record, branch) {
  if (!branch.at) return record.blocks[branch.block][0];
  return branch.inlined ? placeName(branch.at.slice(0, 2)).replace(/^.*\//, "") : `${branch.at[1]}:${branch.at[2]}`;
}
