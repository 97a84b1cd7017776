/* Curves of the outputs, each with a cursor at the clock's time. */

{
  const margin = { left: 60, right: 12, top: 8, bottom: 24 };
  /** Curves that are shown before the reader has chosen. */
  const FIRST = 6;
  let from = 0, to = clock.end || 1;

  /** Round numbers that divide the range into about `count` parts. */
  function ticks(low, high, count) {
    const step = roundBelow((high - low) / count * 2);
    const list = [];
    for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; i++) list.push(i * step);
    return list;
  }

  const views = data.curves.panels.map((panel, index) => {
    let row = 0;
    const rows = panel.steps ? [0, ...panel.steps.map(step => row += step)] : panel.values.map((_, i) => i);
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const name = document.createElement("span"), what = document.createElement("small"), read = document.createElement("output");
    name.textContent = panel.name + (panel.unit ? " in " + panel.unit : "");
    what.textContent = panel.description;
    name.append(" ", what);
    caption.append(name, read);
    const plot = document.createElement("div"), canvas = document.createElement("canvas");
    const cursor = document.createElement("div"), dot = document.createElement("div");
    plot.className = "plot"; cursor.className = "cursor"; dot.className = "dot";
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", panel.name + " over time");
    plot.append(canvas, cursor, dot);
    figure.append(caption, plot);
    figure.hidden = index >= FIRST;
    byId("panels").append(figure);
    const view = { panel, times: rows.map(timeOf), figure, plot, canvas, cursor, dot, read, low: 0, high: 1 };
    listen(view);
    return view;
  });

  const x = (view, time) => margin.left + (time - from) / (to - from) * (view.plot.clientWidth - margin.left - margin.right);
  const y = (view, value) => {
    const height = view.plot.clientHeight - margin.top - margin.bottom;
    return margin.top + (view.high - value) / (view.high - view.low) * height;
  };

  function draw(view) {
    if (view.figure.hidden) return;
    const { panel, canvas, times } = view, values = panel.values;
    const style = getComputedStyle(document.documentElement), ink = key => style.getPropertyValue(key);
    const ratio = devicePixelRatio || 1, width = view.plot.clientWidth, height = view.plot.clientHeight;
    canvas.width = width * ratio; canvas.height = height * ratio;
    const a = lastAtMost(times, from), b = Math.min(times.length - 1, lastAtMost(times, to) + 1);
    let low = Infinity, high = -Infinity;
    for (let i = a; i <= b; i++) if (values[i] !== null) { low = Math.min(low, values[i]); high = Math.max(high, values[i]); }
    if (low > high) [low, high] = [0, 0];
    const pad = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
    view.low = low - pad; view.high = high + pad;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = "12px system-ui, sans-serif";
    c.strokeStyle = ink("--grid"); c.fillStyle = ink("--soft"); c.lineWidth = 1;
    c.beginPath();
    c.textAlign = "right"; c.textBaseline = "middle";
    for (const value of ticks(view.low, view.high, 5)) {
      const at = y(view, value);
      c.moveTo(margin.left, at); c.lineTo(width - margin.right, at); c.fillText(show(value), margin.left - 6, at);
    }
    c.textAlign = "center"; c.textBaseline = "top";
    for (const time of ticks(from, to, Math.max(2, width / 110))) {
      const at = x(view, time), text = show(time) + " s", half = c.measureText(text).width / 2;
      c.moveTo(at, margin.top); c.lineTo(at, height - margin.bottom);
      c.fillText(text, Math.min(at, width - half), height - margin.bottom + 6);
    }
    c.stroke();
    c.save();
    c.beginPath(); c.rect(margin.left, 0, width - margin.left - margin.right, height); c.clip();
    c.strokeStyle = ink("--curve"); c.lineWidth = 1.5; c.lineJoin = "round";
    c.beginPath();
    for (let i = a; i <= b; i++) if (values[i] !== null) c.lineTo(x(view, times[i]), y(view, values[i]));
    c.stroke();
    c.restore();
    point(view);
  }

  /** Puts the cursor where the clock is. */
  function point(view) {
    if (view.figure.hidden) return;
    const { times, panel: { values } } = view;
    const i = lastAtMost(times, clock.time + 1e-9 * clock.end), value = values[i];
    // On the drawn line also between two rows; what is read is the row.
    const next = Math.min(i + 1, times.length - 1), share = next > i ? Math.max(clock.time - times[i], 0) / (times[next] - times[i]) : 0;
    const seen = clock.time >= from && clock.time <= to;
    view.cursor.hidden = view.dot.hidden = !seen;
    if (seen) {
      view.cursor.style.transform = `translateX(${x(view, clock.time)}px)`;
      view.dot.style.transform = `translate(${x(view, clock.time)}px, ${y(view, value + share * (values[next] - value))}px)`;
    }
    view.read.textContent = `${value === null ? "no number" : show(value)} ${view.panel.unit} at ${show(view.times[i])} s`;
  }

  function look(a, b) {
    const least = 20 * data.curves.step || clock.end;
    const span = Math.min(Math.max(b - a, Math.min(least, clock.end)), clock.end);
    if (!(span > 0)) return;
    from = Math.min(Math.max(a, 0), clock.end - span); to = from + span;
    views.forEach(draw);
  }

  function listen(view) {
    const { plot } = view;
    const timeAt = event => {
      const box = plot.getBoundingClientRect();
      return from + (event.clientX - box.left - margin.left) / (box.width - margin.left - margin.right) * (to - from);
    };
    plot.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      plot.setPointerCapture(event.pointerId);
      clock.scrub(timeAt(event));
    });
    plot.addEventListener("pointermove", event => {
      if (plot.hasPointerCapture(event.pointerId)) clock.scrub(timeAt(event));
    });
    plot.addEventListener("wheel", event => {
      if (event.ctrlKey || event.metaKey) {
        const time = timeAt(event), factor = Math.exp(event.deltaY * 0.002);
        look(time - (time - from) * factor, time + (to - time) * factor);
      } else if (event.deltaX) {
        const by = event.deltaX / plot.clientWidth * (to - from);
        look(from + by, to + by);
      } else return;
      event.preventDefault();
    }, { passive: false });
  }

  /** Which curves are shown. */
  function choose() {
    const summary = byId("choice").querySelector("summary"), list = byId("choice").querySelector(".checks");
    const count = () => {
      const shown = views.filter(view => !view.figure.hidden).length;
      summary.textContent = `Curves: ${shown} of ${views.length}`;
    };
    for (const view of views) {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = !view.figure.hidden;
      box.addEventListener("change", () => { view.figure.hidden = !box.checked; count(); draw(view); });
      label.className = "check";
      label.append(box, view.panel.name);
      list.append(label);
    }
    count();
  }

  byId("curves").hidden = views.length === 0;
  choose();
  for (const button of document.querySelectorAll("[data-span]")) button.addEventListener("click", () => {
    const factor = Number(button.dataset.span), middle = Math.min(Math.max(clock.time, from), to);
    if (factor === 0) look(0, clock.end); else look(middle - (middle - from) * factor, middle + (to - middle) * factor);
  });
  clock.listeners.push(() => {
    // A cursor that runs out of sight takes the sight along.
    if (clock.time > to || clock.time < from) look(clock.time - 0.05 * (to - from), clock.time + 0.95 * (to - from));
    views.forEach(point);
  });
  // Also when the page is laid out for the first time, or anew.
  new ResizeObserver(() => views.forEach(draw)).observe(byId("panels"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => views.forEach(draw));
  look(0, clock.end);
}
