// The run along time: samples by tier, and a lane for compilations and one for launches of kernels.
const leastWidth = 700, stackHeight = 140, laneHeight = 34, labelWidth = 110;

function draw(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function stepBars(svg, line, across) {
  line.steps.forEach((parts, step) => {
    let height = 0;
    parts.forEach((time, tier) => {
      const part = Math.min(time / line.step_s, 1) * (stackHeight - 10);
      if (part > 0) {
        svg.append(draw("rect", { class: line.tiers[tier], x: across(step * line.step_s), width: across(line.step_s) - across(0),
          y: Math.max(0, stackHeight - height - part), height: part }));
      }
      height += part;
    });
  });
}

function lane(svg, title, top, events, across, width) {
  svg.append(draw("text", { x: 4, y: top + 20 }, title), draw("line", { class: "axis", x1: 0, x2: width, y1: top, y2: top }));
  for (const event of events) {
    const length = Math.max(1.5, across(event.seconds) - across(0));
    const label = `${event.name}, ${tierTitles[event.tier]}: at ${seconds(event.start_s)} for ${seconds(event.seconds)}`;
    svg.append(draw("rect", { class: event.tier, x: across(event.start_s), width: length, y: top + 6, height: laneHeight - 12 },
      draw("title", {}, label)));
  }
}

function eventTable(title, events) {
  const longest = [...events].sort((a, b) => b.seconds - a.seconds).slice(0, 20);
  const rows = longest.map((event) => make("tr", {}, make("td", {}, seconds(event.start_s)), make("td", {}, seconds(event.seconds)),
    make("td", { class: "name" }, tierTitles[event.tier]), make("td", { class: "name code" }, event.name)));
  const head = make("tr", {}, ...["at", "took", "what", "name"].map((text, i) => make("th", { scope: "col", class: i > 1 ? "name" : "" }, text)));
  return make("details", {}, make("summary", {}, title),
    make("div", { class: "scroll", tabindex: "0" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
}

function showTimeline() {
  const section = document.getElementById("timeline");
  const line = report.timeline;
  const lanes = [["compilations", line.compilations], ["launches", line.launches]].filter(([, of]) => of.events.length);
  const ends = lanes.flatMap(([, of]) => of.events.map((event) => event.start_s + event.seconds));
  const length = Math.max(line.steps.length * line.step_s, ...ends, 1e-6);
  const viewWidth = Math.max(leastWidth, section.clientWidth);  // so that texts are as large as elsewhere
  const across = (at) => labelWidth + at / length * (viewWidth - labelWidth);
  const height = stackHeight + lanes.length * laneHeight + 22;
  const svg = draw("svg", { viewBox: `0 0 ${viewWidth} ${height}`, role: "img",
    "aria-label": `Time by tier over ${seconds(length)}, with ${lanes.map(([name, of]) => of.events.length + " " + name).join(" and ")}` });
  svg.append(draw("text", { x: 4, y: 20 }, "samples by tier"));
  stepBars(svg, line, across);
  lanes.forEach(([name, of], i) => lane(svg, name, stackHeight + i * laneHeight, of.events, across, viewWidth));
  for (let i = 0; i <= 10; i++) {
    const anchor = i === 10 ? "end" : i === 0 ? "start" : "middle";
    svg.append(draw("text", { x: across(length * i / 10), y: height - 6, "text-anchor": anchor }, seconds(length * i / 10)));
  }
  section.append(legend(), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Timeline" }, svg));
  for (const [name, of] of lanes) {
    section.append(eventTable(`The longest of ${of.events.length + of.dropped} ${name}`, of.events));
  }
}
