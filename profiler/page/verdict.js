// The run in a sentence: how much was native, and what most of the rest was lost to.
function lostOf(f) {
  return f.self_s - f.native_s;
}

function whereLost(f) {
  const refusal = refusalOf(f);
  if (refusal) {
    const why = refusal.detail || reasonTitle(refusal.code);
    return `${f.name} line ${refusal.line || f.first_line}: ${why}, ${refusal.code}`;
  }
  const hottest = [...f.lines].sort((a, b) => b.self_s - a.self_s)[0];
  const line = hottest ? hottest.line : f.first_line;
  const inC = (lineTiers.get(f.index + ":" + line) ?? {}).c ?? 0;
  if (f.compile_s > lostOf(f) / 2) return `${f.name}: waiting for its compilation`;
  if (inC > lostOf(f) / 2) return `${f.name} line ${line}: in a C function that it calls`;
  const exits = allExits(f);
  if (f.tier === "native" && exits.length && exits[0].count > 1000) {
    return `${f.name} line ${exits[0].line}: ${reasonTitle(exits[0].reason)}, ${exits[0].reason}`;
  }
  return f.tier === "native" ? `${f.name}, before it was compiled or around its compiled part` : `${f.name} line ${line}, interpreted`;
}

function verdict() {
  if (!(total > 0)) return "The run was too short to measure.";
  const native = functions.reduce((sum, f) => sum + f.native_s, 0);
  let text = `${percent(ofTotal(native), 0)} of ${seconds(total)} native`;
  const worst = functions.filter((f) => !isImport(f)).sort((a, b) => lostOf(b) - lostOf(a))[0];
  if (worst && ofTotal(lostOf(worst)) >= 0.03) {
    text += `; ${percent(ofTotal(lostOf(worst)), 0)} of the time is lost to ${whereLost(worst)}`;
  } else {
    text += "; no function loses much";
  }
  return text + ".";
}

function showVerdict() {
  document.getElementById("verdict").textContent = verdict();
  if (total > 0) document.getElementById("share").append(tierBar(tierSeconds, total), legend());
}
