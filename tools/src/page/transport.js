/* The clock's controls. */

/** The choice of speeds. */
function speeds() {
  // About ten seconds of watching unless the run takes about that long by itself.
  const end = clock.end || 1, natural = end >= 4 && end <= 40 ? 1 : roundBelow(end / 8);
  const all = new Set([0.1, 0.2, 0.5, 1, 2, 5, 10].map(part => Number((part * natural).toPrecision(3))).concat(1));
  for (const speed of [...all].sort((a, b) => a - b)) byId("speed").append(new Option("× " + show(speed), speed));
  byId("speed").value = clock.speed = natural;
  byId("speed").addEventListener("change", () => { clock.speed = Number(byId("speed").value); });
}

/** Button, slider and keys of the clock; keys go from one of the times to the next. */
function transport(times) {
  const toggle = () => clock.playing ? clock.pause() : clock.play();
  byId("play").addEventListener("click", toggle);
  byId("scrub").max = clock.end;
  byId("scrub").addEventListener("input", () => clock.scrub(Number(byId("scrub").value)));
  const digits = Math.max(0, Math.min(6, Math.round(-Math.log10((clock.end || 1) / 2000))));
  const told = () => {
    document.body.classList.toggle("playing", clock.playing);
    byId("play").setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    byId("scrub").value = clock.time;
    byId("scrub").setAttribute("aria-valuetext", clock.time.toFixed(digits) + " seconds");
    byId("time").textContent = clock.time.toFixed(digits) + " s";
  };
  clock.listeners.push(told);
  told();
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=range]), select, button, summary")) return;
    const frame = lastAtMost(times, clock.time + 1e-9 * clock.end), last = times.length - 1;
    const own = event.target.closest("input[type=range]");
    // The other keys of the time slider are the page's own anywhere else.
    const to = { ArrowLeft: frame - 1, ArrowRight: frame + 1, ...own && { PageUp: frame - 10, PageDown: frame + 10 } }[event.key];
    if (event.key === " ") toggle();
    else if (to !== undefined && (!own || own.id === "scrub")) clock.scrub(times[Math.min(Math.max(to, 0), last)]);
    else return;
    event.preventDefault();
  });
}
