/* Curves of the outputs, over the time or over each other, each with a mark at the clock's time. */

{
  const margin = { left: 60, right: 12, top: 8, bottom: 24 };
  /** Curves that are shown before the reader has chosen. */
  const FIRST = 6;
  /** The times that are shown, s. */
  let from = 0, to = clock.end || 1;
  /** Whether they are those of the whole run. */
  let whole = true;

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

  /** Times of the values that are kept of a panel, s. @type {(panel: Panel) => number[]} */
  function timesOf({ steps, values }) {
    let row = 0;
    return (steps ? [0, ...steps.map(step => row += step)] : values.map((_, i) => i)).map(timeOf);
  }

  const views = data.curves.panels.map((panel, index) => {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const text = document.createElement("span"), name = document.createElement("span");
    const description = document.createElement("small"), output = document.createElement("output");
    description.textContent = panel.description;
    text.append(name, " ", description);
    caption.append(text, output);
    const plot = document.createElement("div"), canvas = document.createElement("canvas");
    const cursor = document.createElement("div"), dot = document.createElement("div");
    plot.className = "plot"; cursor.className = "cursor"; dot.className = "dot";
    canvas.setAttribute("role", "img");
    plot.append(canvas, cursor, dot);
    figure.append(caption, plot);
    figure.hidden = index >= FIRST;
    byId("panels").append(figure);
    /** @type {CurveView} */
    const view = { panel, over: panel.over, times: timesOf(panel), figure, plot, canvas, cursor, dot, name, output, low: 0, high: 1, left: 0, right: 1 };
    caption.append(axisOf(view));
    entitle(view);
    listen(view);
    return view;
  });

  /** "joints.foot.fx in N". @type {(of: Panel | Over) => string} */
  function named(of) {
    return of.name + (of.unit ? " in " + of.unit : "");
  }

  /**
   * Says what is drawn over what.
   * @param {CurveView} view
   */
  function entitle(view) {
    view.name.textContent = named(view.panel) + (view.over ? " over " + named(view.over) : "");
    view.canvas.setAttribute("aria-label", view.panel.name + " over " + (view.over ? view.over.name : "time"));
  }

  /**
   * Value of a panel at a time, on the line between its rows.
   * @param {CurveView} view
   * @param {number} time in s
   * @returns {number | null}
   */
  function valueAt({ times, panel: { values } }, time) {
    const i = lastAtMost(times, time), next = Math.min(i + 1, times.length - 1), a = values[i], b = values[next];
    if (a === null || b === null || next === i) return a;
    return a + Math.min(Math.max((time - times[i]) / (times[next] - times[i]), 0), 1) * (b - a);
  }

  /**
   * The field in which the reader chooses what a curve is drawn over.
   * @param {CurveView} view
   * @returns {HTMLElement}
   */
  function axisOf(view) {
    const label = document.createElement("label"), field = document.createElement("input");
    field.type = "text";
    field.setAttribute("list", "axes");
    field.placeholder = "time";
    field.value = view.over ? view.over.name : "";
    field.setAttribute("aria-label", `What ${view.panel.name} is drawn over`);
    field.addEventListener("change", () => {
      choose(view, field.value);
      if (!view.over) field.value = "";
      entitle(view);
      draw(view);
    });
    label.className = "axis";
    label.append("over ", field);
    return label;
  }

  /**
   * Draws a curve over another output, or over the time.
   * @param {CurveView} view
   * @param {string} name of the output
   */
  function choose(view, name) {
    const other = views.find(other => other.panel.name === name && !other.panel.over);
    if (view.panel.over && view.panel.over.name === name) view.over = view.panel.over;
    else if (other) view.over = { name: other.panel.name, unit: other.panel.unit, values: view.times.map(time => valueAt(other, time)) };
    else view.over = null;
  }

  /** Pixels of a time, or of what the curve is drawn over, from the left of the plot. @type {(view: CurveView, at: number) => number} */
  const x = (view, at) => margin.left + (at - view.left) / (view.right - view.left) * (view.plot.clientWidth - margin.left - margin.right);
  /** Pixels of a value from the top of the plot. @type {(view: CurveView, value: number) => number} */
  const y = (view, value) => {
    const height = view.plot.clientHeight - margin.top - margin.bottom;
    return margin.top + (view.high - value) / (view.high - view.low) * height;
  };

  /**
   * Range of an axis that shows the values from row `a` to row `b`.
   * @param {(number | null)[]} values
   * @param {number} a
   * @param {number} b
   * @returns {[number, number]}
   */
  function extent(values, a, b) {
    let low = Infinity, high = -Infinity;
    for (let i = a; i <= b; i++) {
      const value = values[i];
      if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
    }
    if (low > high) [low, high] = [0, 0];
    const pad = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
    return [low - pad, high + pad];
  }

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
    [view.low, view.high] = extent(values, a, b);
    [view.left, view.right] = view.over ? extent(view.over.values, a, b) : [from, to];
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
    const unit = view.over ? view.over.unit : "s";
    for (const tick of ticks(view.left, view.right, Math.max(2, width / 110))) {
      const at = x(view, tick), text = unit ? show(tick) + " " + unit : show(tick), half = c.measureText(text).width / 2;
      c.moveTo(at, margin.top); c.lineTo(at, height - margin.bottom);
      c.fillText(text, Math.min(at, width - half), height - margin.bottom + 6);
    }
    c.stroke();
    c.save();
    c.beginPath(); c.rect(margin.left, 0, width - margin.left - margin.right, height); c.clip();
    c.strokeStyle = style.getPropertyValue("--curve"); c.lineWidth = 1.5; c.lineJoin = "round";
    c.beginPath();
    for (let i = a; i <= b; i++) {
      const value = values[i], at = view.over ? view.over.values[i] : times[i];
      if (value !== null && at !== null) c.lineTo(x(view, at), y(view, value));
    }
    c.stroke();
    c.restore();
    drawCursor(view);
  }

  /**
   * Puts the cursor and the dot where the clock is; a curve that is not over the time has the dot alone.
   * @param {CurveView} view
   */
  function drawCursor(view) {
    if (view.figure.hidden) return;
    const { times, over, panel: { values } } = view;
    const i = lastAtMost(times, clock.time + 1e-9 * clock.end), value = values[i];
    // Between two rows the dot is on the drawn line; the text is the value of the row.
    const next = Math.min(i + 1, times.length - 1), part = next > i ? Math.max(clock.time - times[i], 0) / (times[next] - times[i]) : 0;
    const seen = clock.time >= from && clock.time <= to;
    /** On the line from one row to the next. @type {(a: number, b: number | null) => number} */
    const between = (a, b) => a + part * ((b ?? a) - a);
    const first = over && over.values[i], at = over ? first === null ? null : between(first, over.values[next]) : clock.time;
    view.cursor.hidden = !seen || over !== null;
    view.dot.hidden = !seen || value === null || at === null;
    if (seen && !over) view.cursor.style.transform = `translateX(${x(view, clock.time)}px)`;
    if (seen && value !== null && at !== null) {
      view.dot.style.transform = `translate(${x(view, at)}px, ${y(view, between(value, values[next]))}px)`;
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
    whole = span >= clock.end;
    views.forEach(draw);
  }

  /**
   * Time of the row that is nearest to a place in a plot, s.
   * @param {CurveView} view
   * @param {number} left px from the left of the plot
   * @param {number} top px from its top
   */
  function nearest(view, left, top) {
    let time = clock.time, least = Infinity;
    for (let i = lastAtMost(view.times, from); i < view.times.length && view.times[i] <= to; i++) {
      const at = view.over ? view.over.values[i] : view.times[i], value = view.panel.values[i];
      if (at === null || value === null) continue;
      const distance = Math.hypot(x(view, at) - left, y(view, value) - top);
      if (distance < least) [time, least] = [view.times[i], distance];
    }
    return time;
  }

  /**
   * Drags move the clock; the wheel changes the times that are shown.
   * @param {CurveView} view
   */
  function listen(view) {
    const plot = view.plot;
    /** Time under the pointer, s. @type {(event: MouseEvent) => number} */
    const timeAt = event => {
      const box = plot.getBoundingClientRect();
      if (view.over) return nearest(view, event.clientX - box.left, event.clientY - box.top);
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
  function list() {
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
      label.append(box, view.panel.name + (view.panel.over ? " over " + view.panel.over.name : ""));
      byId("choice-list").append(label);
    }
    count();
  }

  /** What can be chosen as an axis. */
  for (const name of new Set(views.map(view => view.panel.name))) {
    const option = document.createElement("option");
    option.value = name;
    byId("axes").append(option);
  }
  byId("curves").hidden = views.length === 0;
  list();
  for (const button of buttonsWith("span")) button.addEventListener("click", () => {
    const factor = Number(button.dataset.span), middle = Math.min(Math.max(clock.time, from), to);
    if (factor === 0) showTimes(0, clock.end); else showTimes(middle - (middle - from) * factor, middle + (to - middle) * factor);
  });
  clock.listeners.push(() => {
    // The times that are shown follow a cursor that leaves them.
    if (clock.time > to || clock.time < from) showTimes(clock.time - 0.05 * (to - from), clock.time + 0.95 * (to - from));
    views.forEach(drawCursor);
  });
  renewals.push(() => {
    views.forEach((view, index) => {
      view.panel = data.curves.panels[index];
      view.times = timesOf(view.panel);
    });
    // Once all have their new values.
    for (const view of views) if (view.over) choose(view, view.over.name);
    if (whole) showTimes(0, clock.end); else views.forEach(draw);
  });
  // Also when the page is laid out for the first time, or anew.
  new ResizeObserver(() => views.forEach(draw)).observe(byId("panels"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => views.forEach(draw));
  showTimes(0, clock.end);
}
