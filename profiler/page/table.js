// The table of functions: a head that sorts, a row for each function over 0.1 %.
const columns = [
  { title: "function", key: (f) => f.name, cell: nameCell, text: true },
  { title: "self %", key: (f) => f.self_s, cell: (f) => percent(ofTotal(f.self_s)) },
  { title: "cum. %", key: (f) => f.cumulative_s, cell: (f) => percent(Math.min(1, ofTotal(f.cumulative_s))) },
  { title: "self", key: (f) => f.self_s, cell: (f) => seconds(f.self_s) },
  { title: "calls", key: callsOf, cell: (f) => (callsOf(f) > 0 ? count(callsOf(f)) : "–") },
  { title: "tier", key: (f) => f.tier, cell: (f) => f.tier, text: true },
  { title: "where", key: (f) => f.share.native, cell: whereBar },
  { title: "compiled", key: compilesOf, cell: (f) => (compilesOf(f) ? `${compilesOf(f)}× ${seconds(compileSeconds(f))}` : "–") },
  { title: "exits", key: exitsOf, cell: exitsCell },
];

function callsOf(f) { return (f.calls.interpreted ?? 0) + (f.calls.native ?? 0); }
function compilesOf(f) { return f.roots.reduce((sum, root) => sum + root.compiles, 0); }
function compileSeconds(f) { return f.roots.reduce((sum, root) => sum + root.compile_ms, 0) / 1000; }
function exitsOf(f) { return f.roots.reduce((sum, root) => sum + root.exits.reduce((all, exit) => all + exit.count, 0), 0); }

function exitsCell(f) {
  if (!exitsOf(f)) return "–";
  const reason = allExits(f)[0].reason;
  return make("span", { title: `${reason}: ${reasonTitle(reason)}` }, `${count(exitsOf(f))} ${reason}`);
}

function whereBar(f) {
  const whole = Object.values(f.tiers).reduce((sum, time) => sum + time, 0);
  return whole > 0 ? tierBar(f.tiers, whole) : "";
}

function nameCell(f) {
  const text = make("span", { class: "code" }, f.name);
  const hasSource = ofTotal(f.self_s) >= 0.01 && f.index >= 0;
  const cell = make("div", { title: f.file }, hasSource ? make("a", { href: `#source-${f.index}` }, text) : text, " ",
    make("span", { class: "faint" }, place(f)));
  if (whyOf(f)) cell.append(make("div", { class: "why faint" }, whyOf(f)));
  return cell;
}

function whyOf(f) {
  const refusal = refusalOf(f);
  if (!refusal || f.share.interpreted < 0.1) return "";
  return `${refusal.code} line ${refusal.line}: ${refusal.detail || reasonTitle(refusal.code)}`;
}

const rowFunctions = new WeakMap();

function rowOf(f) {
  const row = make("tr", {});
  for (const column of columns) {
    row.append(make("td", column.text ? { class: "name" } : {}, column.cell(f)));
  }
  rowFunctions.set(row, f);
  return row;
}

function sortRows(body, column, ascending) {
  const by = (row) => column.key(rowFunctions.get(row));
  const rows = [...body.rows].sort((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
  body.append(...(ascending ? rows : rows.reverse()));
}

function showTable() {
  const section = document.getElementById("functions");
  const body = make("tbody");
  const head = make("tr");
  for (const column of columns) {
    const button = make("button", { type: "button" }, column.title);
    const cell = make("th", { scope: "col", class: column.text ? "name" : "" }, button);
    button.addEventListener("click", () => {
      const ascending = cell.getAttribute("aria-sort") === "descending" || (column.text && !cell.hasAttribute("aria-sort"));
      for (const other of head.cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      sortRows(body, column, ascending);
    });
    head.append(cell);
  }
  head.cells[1].setAttribute("aria-sort", "descending");
  const all = [...functions.filter((f) => !isImport(f)), imports].sort((a, b) => b.self_s - a.self_s);
  const shown = all.filter((f) => ofTotal(f.self_s) >= 0.001);
  body.append(...shown.map(rowOf));
  section.append(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Functions" },
    make("table", {}, make("thead", {}, head), body)));
  const hidden = all.length - shown.length;
  if (hidden > 0) section.append(make("p", { class: "faint" }, `${hidden} more under 0.1 %.`));
}
