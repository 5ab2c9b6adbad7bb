// The report as the page uses it: names, times and reasons, and small helpers to make elements. All text that comes from the
// program goes through textContent.
const report = JSON.parse(document.getElementById("data").textContent);
const functions = report.functions;
const total = functions.reduce((sum, f) => sum + f.self_s, 0);
const tiers = ["interpreted", "c", "quick", "thorough", "waiting", "kernel", "idle"];
const tierTitles = {
  interpreted: "interpreted", c: "in C functions", quick: "quick native code", thorough: "thorough native code",
  waiting: "waiting for the compiler", kernel: "kernels", idle: "waiting, no thread runs",
};

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const percent = (part, digits = 1) => (100 * part).toFixed(digits) + " %";
const ofTotal = (seconds) => (total > 0 ? seconds / total : 0);
const seconds = (value) => value >= 100 ? value.toFixed(0) + " s" : value >= 1 ? value.toFixed(2) + " s" : (value * 1000).toFixed(1) + " ms";
const count = (value) => value >= 1e6 ? (value / 1e6).toFixed(1) + "M" : value >= 1e4 ? (value / 1e3).toFixed(0) + "k" : String(value);
const counted = (number, one, more = one + "s") => `${number} ${number === 1 ? one : more}`;
const baseName = (file) => (file.startsWith("<") ? file : file.replace(/^.*\//, ""));
const place = (f) => (f.file ? baseName(f.file) + ":" + f.first_line : "");

// Seconds by tier: of everything, and of the lines of each function.
const nodes = report.stacks.nodes.map(([parent, frame, samples, self]) => {
  const [index, line, tier] = report.stacks.frames[frame];
  return { parent, index, line, tier, samples, self };
});
const tierSeconds = Object.fromEntries(tiers.map((tier) => [tier, 0]));
const lineTiers = new Map();
for (const node of nodes) {
  tierSeconds[node.tier] += node.self;
  const key = node.index + ":" + node.line;
  const parts = lineTiers.get(key) ?? {};
  parts[node.tier] = (parts[node.tier] ?? 0) + node.self;
  lineTiers.set(key, parts);
}

functions.forEach((f, index) => {
  f.index = index;
  f.tiers = {};
});
for (const node of nodes) {
  const f = functions[node.index];
  if (f) f.tiers[node.tier] = (f.tiers[node.tier] ?? 0) + node.self;
}

// The import system is one thing: how its functions call each other is nobody's concern.
const isImport = (f) => f.file.startsWith("<frozen importlib") || f.file.startsWith("<frozen zipimport");
const imports = functions.filter(isImport).reduce((sum, f) => {
  sum.self_s += f.self_s;
  sum.cumulative_s = Math.max(sum.cumulative_s, f.cumulative_s);
  for (const [tier, time] of Object.entries(f.tiers)) sum.tiers[tier] = (sum.tiers[tier] ?? 0) + time;
  return sum;
}, { index: -1, name: "imports", file: "", self_s: 0, native_s: 0, compile_s: 0, cumulative_s: 0, calls: { native: null, interpreted: null },
  tier: "interpreted", share: { native: 0, interpreted: 1, compile: 0 }, roots: [], lines: [], tiers: {} });

function allExits(f) {
  return f.roots.flatMap((root) => root.exits).sort((a, b) => b.count - a.count);
}

// Why a function is not native, or not all of it: the refused root with most rounds.
function refusalOf(f) {
  const refused = f.roots.filter((root) => root.refusal && root.state !== "compiled");
  refused.sort((a, b) => b.iterations.interpreted - a.iterations.interpreted);
  return refused.length ? refused[0].refusal : null;
}

function reasonTitle(code) {
  return report.reasons[code] ? report.reasons[code].title : "";
}

// A code with its explanation, unfolded on demand.
function explain(code) {
  const reason = report.reasons[code];
  if (!reason) return make("span", {}, code);
  const details = make("details", {}, make("summary", {}, `${code}: ${reason.title}`), make("p", {}, reason.cause));
  if (reason.rewrite) details.append(make("p", {}, "What helps:"), make("pre", {}, reason.rewrite));
  return details;
}

function tierBar(parts, whole) {
  const bar = make("div", { class: "bar", role: "img" });
  const words = [];
  for (const tier of tiers) {
    if (!(parts[tier] > 0)) continue;
    const piece = make("span", { class: tier });
    piece.style.width = percent(parts[tier] / whole, 3).replace(" ", "");
    bar.append(piece);
    words.push(`${percent(parts[tier] / whole, 0)} ${tierTitles[tier]}`);
  }
  bar.setAttribute("aria-label", words.join(", "));
  bar.title = words.join(", ");
  return bar;
}

function legend() {
  const list = make("div", { class: "legend" });
  for (const tier of tiers) {
    if (tierSeconds[tier] > 0) {
      const text = `${tierTitles[tier]} ${percent(ofTotal(tierSeconds[tier]), 0)}`;
      list.append(make("span", {}, make("i", { class: tier }), text));
    }
  }
  return list;
}
