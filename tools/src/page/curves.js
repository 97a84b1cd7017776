/* Curves of the outputs, each with a cursor at the clock's time. */

{
  const margin = { left: 60, right: 12, top: 8, bottom: 24 };
  /** Curves that are shown before the reader has chosen. */
  const FIRST = 6;
  /** The times that are shown, s. */
  let from = 0, to = clock.end || 1;

  /**
   * Round numbers that divide a range into about `count` parts.
   * @param {number} low
   * @param {number} high
   * @param {number} count
   * @returns {number[]}
   */
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
    const name = document.createElement("span"), description = document.createElement("small"), output = document.createElement("output");
    name.textContent = panel.name + (panel.unit ? " in " + panel.unit : "");
    description.textContent = panel.description;
    name.append(" ", description);
    caption.append(name, output);
    const plot = document.createElement("div"), canvas = document.createElement("canvas");
    const cursor = document.createElement("div"), dot = document.createElement("div");
    plot.className = "plot"; cursor.className = "cursor"; dot.className = "dot";
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", panel.name + " over time");
    plot.append(canvas, cursor, dot);
    figure.append(caption, plot);
    figure.hidden = index >= FIRST;
    byId("panels").append(figure);
    /** @type {CurveView} */
    const view = { panel, times: rows.map(timeOf), figure, plot, canvas, cursor, dot, output, low: 0, high: 1 };
    listen(view);
    return view;
  });

  /** Pixels of a time from the left of the plot. @type {(view: CurveView, time: number) => number} */
  const x = (view, time) => margin.left + (time - from) / (to - from) * (view.plot.clientWidth - margin.left - margin.right);
  /** Pixels of a value from the top of the plot. @type {(view: CurveView, value: number) => number} */
  const y = (view, value) => {
    const height = view.plot.clientHeight - margin.top - margin.bottom;
    return margin.top + (view.high - value) / (view.high - view.low) * height;
  };

  /**
   * Draws a curve with its axes.
   * @param {CurveView} view
   */
  function draw(view) {
    if (view.figure.hidden) return;
    const { panel, canvas, times } = view, values = panel.values;
    const style = getComputedStyle(document.documentElement), grid = style.getPropertyValue("--grid");
    const ratio = devicePixelRatio || 1, width = view.plot.clientWidth, height = view.plot.clientHeight;
    canvas.width = width * ratio; canvas.height = height * ratio;
    const a = lastAtMost(times, from), b = Math.min(times.length - 1, lastAtMost(times, to) + 1);
    let low = Infinity, high = -Infinity;
    for (let i = a; i <= b; i++) {
      const value = values[i];
      if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
    }
    if (low > high) [low, high] = [0, 0];
    const pad = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
    view.low = low - pad; view.high = high + pad;
    const c = contextOf(canvas);
    c.scale(ratio, ratio);
    c.font = "12px system-ui, sans-serif";
    c.strokeStyle = grid; c.fillStyle = style.getPropertyValue("--soft"); c.lineWidth = 1;
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
    c.strokeStyle = style.getPropertyValue("--curve"); c.lineWidth = 1.5; c.lineJoin = "round";
    c.beginPath();
    for (let i = a; i <= b; i++) {
      const value = values[i];
      if (value !== null) c.lineTo(x(view, times[i]), y(view, value));
    }
    c.stroke();
    c.restore();
    drawCursor(view);
  }

  /**
   * Puts the cursor where the clock is.
   * @param {CurveView} view
   */
  function drawCursor(view) {
    if (view.figure.hidden) return;
    const { times, panel: { values } } = view;
    const i = lastAtMost(times, clock.time + 1e-9 * clock.end), value = values[i];
    // Between two rows the dot is on the drawn line; the text is the value of the row.
    const next = Math.min(i + 1, times.length - 1), part = next > i ? Math.max(clock.time - times[i], 0) / (times[next] - times[i]) : 0;
    const seen = clock.time >= from && clock.time <= to;
    view.cursor.hidden = !seen;
    view.dot.hidden = !seen || value === null;
    if (seen) view.cursor.style.transform = `translateX(${x(view, clock.time)}px)`;
    if (seen && value !== null) {
      const now = value + part * ((values[next] ?? value) - value);
      view.dot.style.transform = `translate(${x(view, clock.time)}px, ${y(view, now)}px)`;
    }
    view.output.textContent = `${value === null ? "no number" : show(value)} ${view.panel.unit} at ${show(view.times[i])} s`;
  }

  /**
   * Shows all curves from one time to another, or as much of that as the run has and no less than some rows.
   * @param {number} a in s
   * @param {number} b in s
   */
  function showTimes(a, b) {
    const least = 20 * data.curves.step || clock.end;
    const span = Math.min(Math.max(b - a, Math.min(least, clock.end)), clock.end);
    if (!(span > 0)) return;
    from = Math.min(Math.max(a, 0), clock.end - span); to = from + span;
    views.forEach(draw);
  }

  /**
   * Drags move the clock; the wheel changes the times that are shown.
   * @param {CurveView} view
   */
  function listen({ plot }) {
    /** Time under the pointer, s. @type {(event: MouseEvent) => number} */
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
        showTimes(time - (time - from) * factor, time + (to - time) * factor);
      } else if (event.deltaX) {
        const by = event.deltaX / plot.clientWidth * (to - from);
        showTimes(from + by, to + by);
      } else return;
      event.preventDefault();
    }, { passive: false });
  }

  /** Lets the reader choose which curves are shown. */
  function choose() {
    const count = () => {
      const shown = views.filter(view => !view.figure.hidden).length;
      byId("choice-summary").textContent = `Curves: ${shown} of ${views.length}`;
    };
    for (const view of views) {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = !view.figure.hidden;
      box.addEventListener("change", () => { view.figure.hidden = !box.checked; count(); draw(view); });
      label.className = "check";
      label.append(box, view.panel.name);
      byId("choice-list").append(label);
    }
    count();
  }

  byId("curves").hidden = views.length === 0;
  choose();
  for (const button of buttonsWith("span")) button.addEventListener("click", () => {
    const factor = Number(button.dataset.span), middle = Math.min(Math.max(clock.time, from), to);
    if (factor === 0) showTimes(0, clock.end); else showTimes(middle - (middle - from) * factor, middle + (to - middle) * factor);
  });
  clock.listeners.push(() => {
    // The times that are shown follow a cursor that leaves them.
    if (clock.time > to || clock.time < from) showTimes(clock.time - 0.05 * (to - from), clock.time + 0.95 * (to - from));
    views.forEach(drawCursor);
  });
  // Also when the page is laid out for the first time, or anew.
  new ResizeObserver(() => views.forEach(draw)).observe(byId("panels"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => views.forEach(draw));
  showTimes(0, clock.end);
}
