// The flame graph: callers above callees, as wide as their time, coloured by the tier in which each frame ran.
const rowHeight = 19;
const narrowest = 0.0008; // of the width

// Calls from different lines of a caller are one frame here.
function mergeStacks() {
  const root = { name: "all", tier: "root", self: 0, time: 0, children: new Map(), parent: null, depth: 0 };
  const merged = [];
  for (const node of nodes) {
    const parent = node.parent < 0 ? root : merged[node.parent];
    const own = functions[node.index];
    const f = own && isImport(own) ? imports : own;
    const key = (f ? f.index : "more") + (f === imports ? "" : node.tier);
    let frame = f === imports && parent.f === imports ? parent : parent.children.get(key);
    if (!frame) {
      const name = f ? f.name : "(more frames)";
      frame = { name, f, tier: node.tier, self: 0, time: 0, children: new Map(), parent, depth: parent.depth + 1 };
      parent.children.set(key, frame);
    }
    merged.push(frame);
    frame.self += node.self;
    for (let above = frame; above; above = above.parent) above.time += node.self;
  }
  return root;
}

function describeFrame(frame) {
  const parts = [frame.name];
  if (frame.f) parts.push(place(frame.f), tierTitles[frame.tier]);
  parts.push(`${seconds(frame.time)}, ${percent(ofTotal(frame.time))}`, `${seconds(frame.self)} in itself`);
  return parts.join(" · ");
}

class FlameGraph {
  constructor(section) {
    this.root = mergeStacks();
    this.zoomed = this.root;
    this.search = "";
    this.hint = make("p", { class: "hint faint", "aria-live": "polite" });
    this.graph = make("div", { class: "graph", role: "group", "aria-label": "Flame graph" });
    section.append(make("p", { class: "faint" },
      "Click or Enter zooms to a frame, Escape or a click on a caller back; arrow keys move."), legend(), this.hint, this.graph);
    this.graph.addEventListener("keydown", (event) => this.press(event));
    this.draw();
  }

  draw() {
    this.graph.replaceChildren();
    this.buttons = new Map();
    let deepest = 0;
    const place = (frame, left, width) => {
      deepest = Math.max(deepest, frame.depth);
      this.graph.append(this.button(frame, left, width));
      const children = [...frame.children.values()].sort((a, b) => b.time - a.time);
      for (const child of children) {
        const part = frame.time > 0 ? width * child.time / frame.time : 0;
        if (part >= narrowest) place(child, left, part);
        left += part;
      }
    };
    for (let above = this.zoomed.parent; above; above = above.parent) this.graph.append(this.button(above, 0, 1));
    place(this.zoomed, 0, 1);
    this.graph.style.height = (deepest + 1) * rowHeight + "px";
    this.focusable(this.zoomed);
    this.highlight(this.search);
  }

  button(frame, left, width) {
    const button = make("button", { type: "button", class: frame.tier, tabindex: "-1" }, frame.name);
    button.style.left = 100 * left + "%";
    button.style.width = 100 * width + "%";
    button.style.top = frame.depth * rowHeight + "px";
    button.title = describeFrame(frame);
    button.setAttribute("aria-label", describeFrame(frame));
    button.addEventListener("click", () => this.zoom(frame));
    button.addEventListener("focus", () => this.focusable(frame));
    button.addEventListener("mouseenter", () => { this.hint.textContent = describeFrame(frame); });
    this.buttons.set(frame, button);
    return button;
  }

  // One frame is in the order of the Tab key; the arrow keys move it.
  focusable(frame) {
    if (this.current && this.buttons.get(this.current)) this.buttons.get(this.current).tabIndex = -1;
    this.current = frame;
    this.buttons.get(frame).tabIndex = 0;
    this.hint.textContent = describeFrame(frame);
  }

  zoom(frame) {
    this.zoomed = frame;
    this.draw();
    this.buttons.get(frame).focus();
  }

  press(event) {
    const drawn = (frames) => frames.filter((frame) => this.buttons.has(frame)).sort((a, b) => b.time - a.time);
    const siblings = this.current.parent ? drawn([...this.current.parent.children.values()]) : [this.current];
    const at = siblings.indexOf(this.current);
    const next = {
      ArrowUp: this.current.parent, ArrowDown: drawn([...this.current.children.values()])[0],
      ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1],
    }[event.key];
    if (event.key === "Escape" && this.zoomed.parent) this.zoom(this.zoomed.parent);
    if (next) this.buttons.get(next)?.focus();
    if (event.key.startsWith("Arrow")) event.preventDefault();
  }

  highlight(text) {
    this.search = text;
    for (const [frame, button] of this.buttons) {
      button.classList.toggle("unmatched", text !== "" && !(frame.f && matches(frame.f, text)));
    }
  }
}
