// Annotated source of the functions over 1 %: heat and tier of each line, what was left or refused there, and what to do.
const stateWords = { blacklisted: "given up", compiled: "compiled", counting: "not hot yet", recording: "watched", compiling: "being compiled" };

function notesOf(f) {
  const notes = new Map();
  const add = (line, text) => notes.set(line, [...(notes.get(line) ?? []), text]);
  for (const root of f.roots) {
    const what = root.kind === "loop" ? "loop" : "function";
    const isInlined = root.state === "counting" && root.iterations.native > root.iterations.interpreted;
    const state = isInlined ? "in compiled code of what is around it" : stateWords[root.state];
    const rounds = `${count(root.iterations.native)} of ${count(root.iterations.native + root.iterations.interpreted)} rounds native`;
    add(root.line, `${what}: ${state}${root.iterations.native + root.iterations.interpreted > 0 ? ", " + rounds : ""}`);
    for (const exit of root.exits) add(exit.line, `${exit.reason} left ${count(exit.count)}×: ${reasonTitle(exit.reason)}`);
    if (root.refusal) {
      const refusal = root.refusal;
      add(refusal.line || root.line, `${refusal.code} not native: ${refusal.detail || reasonTitle(refusal.code)}`);
    }
    for (const operation of root.opaque) add(operation.line, `done by CPython: ${operation.operation}`);
  }
  return notes;
}

function listingOf(f, index, lines) {
  const notes = notesOf(f);
  const body = make("tbody");
  const hottest = Math.max(...f.lines.map((line) => line.self_s), 1e-9);
  let last = lines.length ? lines[0][0] - 1 : 0;
  for (const [number, text] of lines) {
    if (number !== last + 1) body.append(make("tr", {}, make("td", {}, "…")));
    last = number;
    const sampled = f.lines.find((line) => line.line === number);
    const parts = lineTiers.get(index + ":" + number) ?? {};
    const code = make("div", { class: "text code" }, text || " ");
    if (sampled) code.style.setProperty("--heat", (35 * sampled.self_s / hottest).toFixed(0) + "%");
    const happened = (notes.get(number) ?? []).map((note) => make("div", { class: "note" }, note));
    const bar = make("td", {});
    if (sampled && sampled.self_s > 0) {
      const width = make("div", {}, tierBar(parts, Object.values(parts).reduce((sum, time) => sum + time, 0) || 1));
      width.style.width = percent(Math.max(0.15, sampled.self_s / hottest), 0).replace(" ", "");
      bar.append(width);
    }
    body.append(make("tr", {}, make("td", { class: "faint" }, String(number)),
      make("td", {}, sampled ? percent(ofTotal(sampled.self_s)) : ""), bar, make("td", {}, code, ...happened)));
  }
  const head = make("tr", {}, ...["line", "time", "tier", "source, and what happened there"].map((title, i) =>
    make("th", { scope: "col", class: i > 2 ? "name" : "" }, title)));
  return make("table", { class: "listing" }, make("thead", {}, head), body);
}

function showSource() {
  const section = document.getElementById("source");
  const texts = new Map((report.sources ?? []).map((source) => [source.function, source.lines]));
  // The hottest first. The import system, which is one row of the table, has no text.
  const hot = [...functions.entries()].filter(([, f]) => ofTotal(f.self_s) >= 0.01 && !f.file.startsWith("<frozen importlib"));
  hot.sort(([, a], [, b]) => b.self_s - a.self_s).forEach(([index, f]) => {
    const details = make("details", { id: `source-${index}` }, make("summary", {},
      make("h3", { class: "code" }, f.name), ` ${percent(ofTotal(f.self_s))} `, make("span", { class: "faint" }, place(f))));
    details.open = section.querySelectorAll("details[open]").length < 3;
    const lines = texts.get(index) ?? linesWithoutText(f);
    details.append(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Source of ${f.name}` },
      listingOf(f, index, lines)));
    const codes = new Set([...(refusalOf(f) ? [refusalOf(f).code] : []), ...allExits(f).slice(0, 4).map((exit) => exit.reason)]);
    if (codes.size) details.append(make("div", {}, "What to do: ", ...[...codes].map(explain)));
    section.append(details);
  });
  if (!report.sources) section.append(make("p", { class: "faint" }, "KILN_REPORT_SOURCE=0: the report has no source text."));
}

// Where the text is not there: the lines that there is something to say about.
function linesWithoutText(f) {
  const numbers = new Set([...f.lines.map((line) => line.line), ...notesOf(f).keys()]);
  return [...numbers].filter((line) => line > 0).sort((a, b) => a - b).map((line) => [line, ""]);
}
