// The run along time: samples by tier, and a lane for compilations and one for launches of kernels.
const stackHeight = 140, laneHeight = 34, labelWidth = 104, axisHeight = 22;
const tickWidth = 80; // of the longest label, and some room

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

function eventTable(noun, events, dropped) {
  const longest = [...events].sort((a, b) => b.seconds - a.seconds).slice(0, 20);
  const all = counted(events.length + dropped, ...noun);
  const title = longest.length < events.length + dropped ? `The longest of ${all}` : all;
  const rows = longest.map((event) => make("tr", {}, make("td", {}, seconds(event.start_s)), make("td", {}, seconds(event.seconds)),
    make("td", { class: "name" }, tierTitles[event.tier]), make("td", { class: "name code" }, event.name)));
  const head = make("tr", {}, ...["at", "took", "what", "name"].map((text, i) => make("th", { scope: "col", class: i > 1 ? "name" : "" }, text)));
  return make("details", {}, make("summary", {}, title),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `The longest ${noun[1]}` },
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
}

// Round times, so many that their labels have room: [seconds, label] from 0 on.
function ticks(length, most) {
  const power = 10 ** Math.floor(Math.log10(length / most));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => length / candidate <= most);
  const [unit, name] = length >= 1 ? [1, "s"] : length >= 1e-3 ? [1e-3, "ms"] : [1e-6, "µs"];
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
  const numbers = Array.from({ length: Math.floor(length / step * (1 + 1e-9)) + 1 }, (_, i) => i * step);
  return numbers.map((at) => [at, `${(at / unit).toFixed(digits)} ${name}`]);
}

function axis(svg, length, across, width, height) {
  for (const [at, label] of ticks(length, Math.max(1, Math.floor((width - labelWidth) / tickWidth)))) {
    const anchor = at === 0 ? "start" : across(at) + tickWidth / 2 > width ? "end" : "middle";
    svg.append(draw("line", { class: "axis", x1: across(at), x2: across(at), y1: height - axisHeight, y2: height - axisHeight + 5 }),
      draw("text", { x: across(at), y: height - 5, "text-anchor": anchor }, label));
  }
}

function timelineOf(line, lanes, width) {
  const ends = lanes.flatMap(([, of]) => of.events.map((event) => event.start_s + event.seconds));
  const length = Math.max(line.steps.length * line.step_s, ...ends, 1e-6);
  const across = (at) => labelWidth + at / length * (width - labelWidth);
  const height = stackHeight + lanes.length * laneHeight + axisHeight;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Time by tier over ${seconds(length)}, with ${lanes.map(([noun, of]) => counted(of.events.length, ...noun)).join(" and ")}` });
  svg.append(draw("text", { x: 4, y: 20 }, "samples by tier"));
  stepBars(svg, line, across);
  lanes.forEach(([noun, of], i) => lane(svg, noun[1], stackHeight + i * laneHeight, of.events, across, width));
  axis(svg, length, across, width, height);
  return svg;
}

function showTimeline() {
  const section = document.getElementById("timeline");
  const lanes = [[["compilation", "compilations"], report.timeline.compilations], [["launch", "launches"], report.timeline.launches]]
    .filter(([, of]) => of.events.length);
  const holder = make("div", {});
  section.append(legend(), holder);
  // Drawn as wide as it is shown, so that texts are as large as elsewhere.
  const redraw = () => holder.replaceChildren(timelineOf(report.timeline, lanes, Math.max(200, holder.clientWidth)));
  redraw();
  window.addEventListener("resize", redraw);
  for (const [noun, of] of lanes) {
    section.append(eventTable(noun, of.events, of.dropped));
  }
}
