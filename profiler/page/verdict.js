// The run in a sentence: how much of what ran was native, and what most of the rest was lost to. While the program waits for something
// outside of it, nothing is lost.
const idleOf = (f) => f.tiers.idle ?? 0;

function lostOf(f) {
  return f.self_s - f.native_s - idleOf(f);
}

// The line of a function with most time of the tiers that are meant.
function hottestLine(f, isMeant) {
  const timeAt = (line) => Object.entries(lineTiers.get(f.index + ":" + line.line) ?? {})
    .reduce((sum, [tier, time]) => sum + (isMeant(tier) ? time : 0), 0);
  const hottest = [...f.lines].sort((a, b) => timeAt(b) - timeAt(a))[0];
  return hottest ? hottest.line : f.first_line;
}

function whereItWaited() {
  const waits = functions.filter((f) => f.file && !f.file.startsWith("<frozen")).sort((a, b) => idleOf(b) - idleOf(a))[0];
  return waits && idleOf(waits) > tierSeconds.idle / 2 ? `, mostly in ${waits.name} line ${hottestLine(waits, (tier) => tier === "idle")}` : "";
}

function whereLost(f) {
  const refusal = refusalOf(f);
  if (refusal) {
    const why = refusal.detail || reasonTitle(refusal.code);
    return `${f.name} line ${refusal.line || f.first_line}: ${why}, ${refusal.code}`;
  }
  const line = hottestLine(f, (tier) => !["quick", "thorough", "kernel", "idle"].includes(tier));
  const inC = (lineTiers.get(f.index + ":" + line) ?? {}).c ?? 0;
  if (f.compile_s > lostOf(f) / 2) return `${f.name}: waiting for its compilation`;
  if (inC > lostOf(f) / 2) return `${f.name} line ${line}: in a C function that it calls`;
  const exits = allExits(f);
  if (f.tier === "native" && exits.length && exits[0].count > 1000) {
    return `${f.name} line ${exits[0].line}: ${reasonTitle(exits[0].reason)}, ${exits[0].reason}`;
  }
  return f.tier === "native" ? `${f.name}, before it was compiled or around its compiled part` : `${f.name} line ${line}, interpreted`;
}

// What is lost beside the worst function: to the compiler, and what is spread thin.
function whatElse(worst, ofRun) {
  const few = 0.1;
  const sum = (time, among) => among.reduce((all, f) => all + time(f), 0);
  const compiling = ofRun(sum((f) => f.compile_s, functions));
  const others = functions.filter((f) => f !== worst && lostOf(f) > f.compile_s);
  const spread = ofRun(sum((f) => lostOf(f) - f.compile_s, others));
  let text = compiling >= few ? `; ${percent(compiling, 0)} went by waiting for the compiler` : "";
  if (spread >= few) text += `; ${percent(spread, 0)} is spread over ${others.length} other functions`;
  return text;
}

function verdict() {
  if (!(total > 0)) return "The run was too short to measure.";
  const ran = total - tierSeconds.idle;
  const ofRun = (time) => (ran > 0 ? time / ran : 0);
  const native = functions.reduce((sum, f) => sum + f.native_s, 0);
  let text = `${percent(ofRun(native), 0)} of ${seconds(ran)} native`;
  const worst = functions.filter((f) => !isImport(f)).sort((a, b) => lostOf(b) - lostOf(a))[0];
  if (worst && ofTotal(lostOf(worst)) >= 0.03) {
    text += `; ${percent(ofRun(lostOf(worst)), 0)} of the time is lost to ${whereLost(worst)}`;
  } else {
    text += "; no single function loses much";
  }
  text += whatElse(worst, ofRun);
  if (ofTotal(tierSeconds.idle) >= 0.01) {
    text += `; besides, it waited for ${seconds(tierSeconds.idle)}, while no thread ran${whereItWaited()}`;
  }
  return text + ".";
}

function showVerdict() {
  document.getElementById("verdict").textContent = verdict();
  if (total > 0) document.getElementById("share").append(tierBar(tierSeconds, total), legend());
}
