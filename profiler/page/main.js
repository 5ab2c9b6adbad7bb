// Kernels, the environment, search, and the order in which all is shown.
function plainTable(name, titles, rows) {
  const head = make("tr", {}, ...titles.map(([title, text]) => make("th", { scope: "col", class: text ? "name" : "" }, title)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map((cell, i) => make("td", titles[i][1] ? { class: "name" } : {}, cell))));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function kernelAdvice(kernel) {
  const copies = kernel.copies_in.ms + kernel.copies_out.ms;
  if (copies > 2 * kernel.device_ms && copies > 1) return "copies take longer than the kernel: keep arrays on the device (cuda.to_device)";
  if (kernel.overhead_ms > kernel.device_ms && kernel.launches > 10) return "launches take longer than the kernel: give each more work";
  if (kernel.compile_ms > kernel.device_ms && !kernel.cached) return "compiling took longest; the next run takes it from the cache";
  return "";
}

function adviceCell(kernel) {
  const cell = make("div", {});
  const own = kernelAdvice(kernel);
  if (own) cell.append(make("div", {}, own));
  for (const advice of kernel.advice ?? []) cell.append(make("div", { title: reasonTitle(advice.code) }, `${advice.code} ${advice.text}`));
  return cell;
}

function showKernels() {
  const section = document.getElementById("kernels");
  const kernels = report.kernels ?? [];
  section.hidden = kernels.length === 0;
  document.querySelector('nav a[href="#kernels"]').hidden = section.hidden;
  if (section.hidden) return;
  for (const where of new Set(kernels.map((kernel) => `on the ${kernel.where.toUpperCase()} (${kernel.device}): ${kernel.why}`))) {
    section.append(make("p", {}, where));
  }
  const copies = (of) => (of.bytes ? `${(of.bytes / 1e6).toFixed(1)} MB, ${of.ms.toFixed(1)} ms` : "–");
  section.append(plainTable("Kernels",
    [["kernel", 1], ["launches"], ["device"], ["per launch"], ["overhead"], ["compiled"], ["copied in"], ["copied out"], ["advice", 1]],
    kernels.map((k) => [`${k.name}(${k.types}) ${baseName(k.file)}:${k.line}`, count(k.launches), seconds(k.device_ms / 1000),
      seconds(k.device_ms / 1000 / k.launches), seconds(k.overhead_ms / 1000), seconds(k.compile_ms / 1000) + (k.cached ? " (cache)" : ""),
      copies(k.copies_in), copies(k.copies_out), adviceCell(k)])));
}

function showEnvironment() {
  const section = document.getElementById("environment");
  const facts = Object.entries(report.environment ?? {}).filter(([, value]) => typeof value !== "object");
  facts.push(["samples", `${report.samples}, every ${report.interval_ms} ms, at a cost of ${seconds(report.overhead_ms / 1000)} ` +
    `(${percent(ofTotal(report.overhead_ms / 1000))})`]);
  section.append(plainTable("Environment", [["what", 1], ["value", 1]], facts.map(([name, value]) => [name, String(value)])));
  section.append(plainTable("Processes", [["process"], ["samples"], ["time"], ["command", 1]], report.processes.map((process) =>
    [String(process.pid), String(process.samples), seconds(process.elapsed_s), process.command])));
}

// What ran, and in how many processes: three programs by name, files before -c and -m.
function showTitle() {
  const commands = [...new Set(report.processes.map((process) => process.command))];
  commands.sort((a, b) => a.startsWith("-") - b.startsWith("-"));
  const rest = commands.length > 3 ? ` and ${commands.length - 3} more` : "";
  const processes = report.processes.length > 1 ? ` · ${report.processes.length} processes` : "";
  const name = commands.slice(0, 3).join(", ") + rest + processes;
  document.getElementById("command").textContent = name;
  document.title = "kiln report" + (name ? ": " + name : "");
}

function matches(f, text) {
  return (f.name + " " + f.file).toLowerCase().includes(text.toLowerCase());
}

function searchFor(text, graph) {
  const rows = [...document.querySelectorAll("#functions tbody tr")];
  for (const row of rows) row.hidden = text !== "" && !matches(rowFunctions.get(row), text);
  for (const details of document.querySelectorAll("#source > details")) {
    details.hidden = text !== "" && !matches(functions[details.id.replace("source-", "")], text);
  }
  graph.highlight(text);
  const found = functions.filter((f) => matches(f, text));
  const time = found.reduce((sum, f) => sum + f.self_s, 0);
  document.getElementById("found").textContent = text === "" ? "" : `${counted(found.length, "function")}, ${percent(ofTotal(time))} of the time`;
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
}

function showAll() {
  showTitle();
  showVerdict();
  showTable();
  const graph = new FlameGraph(document.getElementById("flame"));
  showSource();
  showTimeline();
  showKernels();
  showEnvironment();
  const search = document.getElementById("search");
  search.addEventListener("input", () => searchFor(search.value, graph));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      search.focus();
      event.preventDefault();
    }
  });
  document.getElementById("theme").addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  });
  window.addEventListener("hashchange", openTarget);
  openTarget();
}

showAll();
