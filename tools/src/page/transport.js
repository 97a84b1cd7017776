/* The clock's controls. */

/** Fills the choice of speeds and takes the one that suits the run, until the reader has chosen one. */
function speeds() {
  byId("speed").addEventListener("change", () => { clock.speed = Number(byId("speed").value); });
  suitSpeeds();
  renewals.push(() => { if (byId("speed").dataset.natural === byId("speed").value) suitSpeeds(); });
}

function suitSpeeds() {
  // About ten seconds of watching unless the run takes about that long by itself.
  const end = clock.end || 1, natural = end >= 4 && end <= 40 ? 1 : roundBelow(end / 8);
  const all = new Set([0.1, 0.2, 0.5, 1, 2, 5, 10].map(part => Number((part * natural).toPrecision(3))).concat(1));
  byId("speed").replaceChildren();
  for (const speed of [...all].sort((a, b) => a - b)) byId("speed").append(new Option("× " + show(speed), String(speed)));
  byId("speed").value = byId("speed").dataset.natural = String(natural);
  clock.speed = natural;
}

/**
 * Button, slider and keys of the clock; keys go from one of the times to the next.
 * @param {() => number[]} timesOf the frames, s
 */
function transport(timesOf) {
  const toggle = () => clock.playing ? clock.pause() : clock.play();
  byId("play").addEventListener("click", toggle);
  const measure = () => { byId("scrub").max = String(clock.end); };
  measure();
  renewals.push(measure);
  byId("scrub").addEventListener("input", () => clock.scrub(Number(byId("scrub").value)));
  const digits = () => Math.max(0, Math.min(6, Math.round(-Math.log10((clock.end || 1) / 2000))));
  const update = () => {
    document.body.classList.toggle("playing", clock.playing);
    byId("play").setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    byId("scrub").value = String(clock.time);
    byId("scrub").setAttribute("aria-valuetext", clock.time.toFixed(digits()) + " seconds");
    byId("time").textContent = clock.time.toFixed(digits()) + " s";
  };
  clock.listeners.push(update);
  update();
  document.addEventListener("keydown", event => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
    if (target.closest("input:not([type=range]), select, button, summary")) return;
    const times = timesOf(), frame = lastAtMost(times, clock.time + 1e-9 * clock.end), last = times.length - 1;
    const slider = target.closest("input[type=range]");
    /** Frame that a key leads to; some keys of the time slider scroll the page anywhere else. @type {Record<string, number>} */
    const frames = { ArrowLeft: frame - 1, ArrowRight: frame + 1, ...slider && { PageUp: frame - 10, PageDown: frame + 10 } };
    const to = frames[event.key];
    if (event.key === " ") toggle();
    else if (to !== undefined && (!slider || slider.id === "scrub")) clock.scrub(times[Math.min(Math.max(to, 0), last)]);
    else return;
    event.preventDefault();
  });
}
