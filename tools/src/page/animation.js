/* The picture of the mechanism and its controls. */

if (data.animation) {
  const film = data.animation, mechanism = new Mechanism(film);
  const picture = byId("picture");
  const view = new View(mechanism, picture);
  /** Half of the bar at which the end of a spring is stopped, px. */
  const HALF_STOP = 8;

  /** Pixels of a position. @type {(position: Point) => Point} */
  const toPixel = position => view.toPixel(position);

  /**
   * Adds an element to the picture.
   * @template {keyof SVGElementTagNameMap} Name
   * @param {Name} name
   * @param {Element} parent
   * @param {string} [className]
   * @returns {SVGElementTagNameMap[Name]}
   */
  function make(name, parent, className) {
    /** @type {any} */
    const element = document.createElementNS(picture.namespaceURI, name);
    if (className) element.setAttribute("class", className);
    parent.append(element);
    return element;
  }

  /**
   * Sets attributes of an element.
   * @param {Element} element
   * @param {Record<string, string | number>} values
   */
  function set(element, values) {
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, String(value));
  }

  /* ---- What is drawn. ---- */

  /** Whether beams are drawn as thick as they are. */
  const heights = () => byId("with-heights").checked;

  /** Lines from point to point, in px, as the attribute `d` of a path. @type {(points: Point[]) => string} */
  const polyline = points => points.map(([x, y], k) => (k ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1)).join("");

  const members = film.members.map((member, m) => {
    const kind = member.rigid ? "bar" : member.height === null ? "ground" : "elastic";
    const axis = make("path", byId("members"), kind);
    const hatch = kind === "ground" ? make("path", byId("members"), "hatch") : null;
    const inside = kind === "bar" ? make("path", byId("members"), "inside") : null;
    axis.dataset.member = member.name;
    return { member, m, axis, hatch, inside };
  });

  /**
   * Hatching on the right of a line, which is below one that runs to the right, as the attribute `d` of a path.
   * @param {Point[]} points in px
   * @returns {string}
   */
  function hatching(points) {
    const [a, b] = [points[0], points[points.length - 1]];
    if (a[0] > b[0] || (a[0] === b[0] && a[1] < b[1])) points = [...points].reverse();
    /** @param {number} k */
    const length = k => Math.hypot(points[k + 1][0] - points[k][0], points[k + 1][1] - points[k][1]);
    let total = 0, text = "";
    for (let k = 0; k + 1 < points.length; k++) total += length(k);
    const step = total / Math.min(Math.max(Math.round(total / 10), 2), 2000), size = 8 * symbolScale();
    let at = step / 2;
    for (let k = 0; k + 1 < points.length; k++) {
      const part = length(k), [x, y] = points[k];
      const u = (points[k + 1][0] - x) / part, v = (points[k + 1][1] - y) / part;
      for (; part > 0 && at < part; at += step) {
        const [px, py] = [x + at * u, y + at * v];
        text += `M${px.toFixed(1)} ${py.toFixed(1)}l${(size * (-u - v)).toFixed(1)} ${(size * (-v + u)).toFixed(1)}`;
      }
      at -= part;
    }
    return text;
  }

  function drawMembers() {
    for (const { member, m, axis, hatch, inside } of members) {
      const points = mechanism.axis(m).map(toPixel);
      axis.setAttribute("d", polyline(points));
      if (hatch) hatch.setAttribute("d", hatching(points));
      else if (inside) inside.setAttribute("d", polyline(points));
      else {
        const width = heights() && member.height !== null ? Math.max(member.height * view.scale, 1) : 4 * Math.max(symbolScale(), 0.75);
        axis.style.strokeWidth = width + "px";
        axis.classList.toggle("thick", heights());
      }
    }
  }

  const surfaces = mechanism.sliders.map(slider => slider.heights && make("path", byId("surfaces"), "surface"));
  function drawSurfaces() {
    mechanism.sliders.forEach((slider, j) => {
      const line = surfaces[j];
      if (!line || !slider.heights) return;
      const count = Math.min(slider.heights.length - 1, 1500), points = [];
      for (let k = 0; k <= count; k++) points.push(toPixel(mechanism.surface(slider, slider.length * k / count)));
      line.setAttribute("d", polyline(points));
    });
  }

  const contacts = mechanism.contacts.map(contact => {
    /** @type {(group: "contacts" | "pressures", name: string) => SVGPathElement} */
    const path = (group, name) => make("path", byId(group), name);
    const strokes = ["sticks", "slips"].map(state => path("pressures", "pressure " + state));
    for (const stroke of strokes) stroke.dataset.contact = contact.name;
    return {
      faces: contact.sides.map(side => ({ side, line: path("contacts", "face") })),
      parts: contact.surface.map(part => ({ part, line: path("contacts", "bearing") })), strokes,
    };
  });
  function drawContacts() {
    const length = 0.6 * view.arrowLength();
    contacts.forEach(({ faces, parts, strokes }, c) => {
      const contact = mechanism.contacts[c];
      for (const { side, line } of faces) line.setAttribute("d", polyline(mechanism.face(contact, side).map(toPixel)));
      for (const { part, line } of parts) line.setAttribute("d", polyline(mechanism.surfaceOf(part).map(toPixel)));
      const texts = ["", ""];
      for (let k = 0; k < contact.points && view.largestPressure > 0; k++) {
        const { place, force, state } = mechanism.contactPoint(contact, k), [u, v] = force.map(f => length * f / view.largestPressure);
        if (Math.hypot(u, v) < 0.5) continue;
        const [x, y] = toPixel(place);
        texts[state === 2 ? 1 : 0] += `M${x.toFixed(1)} ${y.toFixed(1)}l${u.toFixed(1)} ${(-v).toFixed(1)}`;
      }
      strokes.forEach((stroke, state) => stroke.setAttribute("d", texts[state]));
    });
  }

  const springs = film.springs.map(spring => {
    const line = make("path", byId("springs"), "spring");
    line.dataset.spring = spring.name;
    const bars = spring.stops.map(([, rigid]) => make("path", byId("springs"), rigid ? "stop rigid" : "stop"));
    return { spring, line, bars };
  });
  function drawSprings() {
    const size = symbolScale();
    for (const { spring, line, bars } of springs) {
      const [a, b] = mechanism.ends(spring).map(toPixel), axis = point(i => b[i] - a[i]);
      const length = Math.hypot(...axis) || 1, across = [-axis[1] / length, axis[0] / length];
      /** @param {Point} place */
      const on = ([part, high]) => point(i => a[i] + part * axis[i] + size * high * across[i]);
      line.setAttribute("d", spring.lines.map(places => polyline(places.map(on))).join(""));
      mechanism.stops(spring).forEach(({ place, along: [u, v] }, k) => {
        const [x, y] = toPixel(place), half = HALF_STOP * size;
        bars[k].setAttribute("d", polyline([[x - half * v, y - half * u], [x + half * v, y + half * u]]));
      });
    }
  }

  /** Groups of symbols, each with what it moves with. */
  const collect = () => [...document.querySelectorAll("#symbols > g")].map(found => {
    const group = /** @type {SVGGElement} */ (found), { anchor, index, turns } = group.dataset;
    return { group, kind: anchor, index: Number(index), turns };
  });
  let symbols = collect();
  function drawSymbols() {
    const size = symbolScale();
    for (const { group, kind, index, turns } of symbols) {
      let at, angle = 0;
      if (kind === "slider") {
        const [u, v] = mechanism.onPath(mechanism.sliders[index], mechanism.position(index)).along;
        at = mechanism.placeOfSlider(index);
        angle = Math.atan2(-v, u) * 180 / Math.PI;
      } else if (kind === "member") {
        const axis = mechanism.axis(index);
        at = axis[axis.length >> 1];
      } else at = mechanism.place(index);
      if (turns !== undefined) angle = -mechanism.turned(turns) * 180 / Math.PI;
      const [x, y] = toPixel(at);
      group.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${angle.toFixed(2)}) scale(${size})`);
    }
  }

  const arrows = mechanism.sliders.map(() => {
    const group = make("g", byId("forces"), "force");
    return { group, line: make("line", group), head: make("polygon", group) };
  });
  function drawForces() {
    const length = view.arrowLength();
    arrows.forEach(({ group, line, head }, j) => {
      const force = mechanism.force(j), size = Math.hypot(...force), shown = length * size / view.largestForce;
      group.style.display = shown >= 2 ? "" : "none";
      if (!(shown >= 2)) return;
      // It ends where the slider presses on its path.
      const [x, y] = toPixel(mechanism.contact(j)), [u, v] = [force[0] / size, -force[1] / size];
      const tip = Math.min(10, shown / 2), wide = tip * 0.4, [bx, by] = [x - u * tip, y - v * tip];
      set(line, { x1: x - u * shown, y1: y - v * shown, x2: bx, y2: by });
      set(head, { points: `${x},${y} ${bx - v * wide},${by + u * wide} ${bx + v * wide},${by - u * wide}` });
    });
  }

  const solids = film.solids.length ? new Solids(mechanism, byId("solids")) : null;
  /** Whether stresses are coloured. */
  const coloured = () => solids !== null && solids.largest > 0 && byId("colour").value === "stress";
  function drawSolids() {
    if (!solids) return;
    const [x, y] = toPixel([0, 0]), { width, height, scale } = view;
    solids.draw({ width, height, scale, x, y, coloured: coloured(), elements: byId("with-elements").checked });
    byId("colours").replaceChildren();
    if (!coloured()) return;
    const wide = Math.min(200, 0.5 * view.width), text = make("text", byId("colours"));
    set(text, { x: 14, y: 20 });
    const end = solids.largest * solids.part;
    text.textContent = `von Mises stress: 0 to ${pascals(end)}` + (solids.part < 1 ? " and more" : "");
    COLOURS.slice(1).forEach((_, k) => {
      // Each part of the scale with the shade in its middle.
      for (let part = 0; part < 8; part++) {
        const at = (k + (part + 0.5) / 8) / (COLOURS.length - 1), rect = make("rect", byId("colours"));
        const [r, g, b] = new Uint8Array(SHADES.slice(Math.floor(256 * at), Math.floor(256 * at) + 1).buffer);
        const step = wide / 8 / (COLOURS.length - 1);
        set(rect, { x: 14 + wide * at - step / 2, y: 27, width: step + 0.5, height: 9, fill: `rgb(${r} ${g} ${b})` });
      }
    });
  }

  /* Paths of points are drawn in the world's coordinates: only a new exaggeration changes them. */
  /** Path of each chosen point. @type {Map<number, SVGPathElement>} */
  const traces = new Map();

  /**
   * Draws the path of a point.
   * @param {SVGPathElement} line
   * @param {number} node of the point
   */
  function trace(line, node) {
    const points = mechanism.times.map(time => { mechanism.set(time); return mechanism.place(node); });
    mechanism.set(clock.time);
    line.setAttribute("d", points.map(([x, y], k) => (k ? "L" : "M") + x.toPrecision(7) + " " + y.toPrecision(7)).join(""));
  }
  function drawTraces() {
    const [x, y] = toPixel([0, 0]);
    byId("traces").setAttribute("transform", `matrix(${view.scale} 0 0 ${-view.scale} ${x} ${y})`);
  }

  /** Places of a name around its point, near ones first. @type {Beside[]} */
  const AROUND = [10, 22, 36, 54].flatMap(gap => [[1, -1], [-1, -1], [1, 1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]]
    .map(([x, y]) => ({ x, y, gap })));
  /** Width of each name, px. @type {Map<string, number>} */
  const widths = new Map();
  /** The place that each name had last: one that is free stays where it is. @type {Map<string, Beside>} */
  const chosen = new Map();

  /** Names beside their points, those of one place together; a name that has no room is left out. */
  function drawNames() {
    byId("names").replaceChildren();
    if (!byId("with-names").checked) return;
    /** @type {Label[]} */
    const labels = [];
    /** @type {DrawnName[]} */
    const taken = [];
    film.points.forEach((name, node) => {
      const at = toPixel(mechanism.place(node));
      const same = labels.find(label => Math.hypot(label.at[0] - at[0], label.at[1] - at[1]) < 6);
      if (same) same.names.push(name); else labels.push({ at, names: [name] });
    });
    for (const { at, names } of labels) {
      const text = make("text", byId("names")), name = names.join(", ");
      text.textContent = name;
      text.setAttribute("text-anchor", "middle");
      const width = widths.get(name) ?? text.getComputedTextLength(), last = chosen.get(name);
      widths.set(name, width);
      /** @type {Point} */
      const half = [width / 2 + 1, 9];
      const boxes = (last ? [last, ...AROUND] : AROUND).map(place => ({
        place, x: at[0] + place.x * (half[0] + place.gap), y: at[1] + place.y * (half[1] + place.gap),
      }));
      const free = boxes.find(({ x, y }) =>
        x >= half[0] && x + half[0] <= view.width && y >= half[1] && y + half[1] <= view.height - BOTTOM
        && taken.every(other => Math.abs(other.x - x) >= half[0] + other.half[0] || Math.abs(other.y - y) >= half[1] + other.half[1]));
      if (!free) { text.remove(); continue; }
      chosen.set(name, free.place);
      taken.push({ x: free.x, y: free.y, half });
      set(text, { x: free.x, y: free.y + 5 });
    }
  }

  function drawScale() {
    const length = roundBelow(0.25 * view.width / view.scale), [x, y] = [14, view.height - 12];
    byId("scale").replaceChildren();
    const line = make("line", byId("scale")), text = make("text", byId("scale"));
    set(line, { x1: x, y1: y, x2: x + length * view.scale, y2: y });
    set(text, { x, y: y - 7 });
    /** @type {(name: string, factor: number) => string} */
    const larger = (name, factor) => factor === 1 ? "" : ` · ${name} × ${show(factor)}`;
    const rough = surfaces.some(surface => surface) ? mechanism.roughness : 1;
    text.textContent = show(length) + " m" + larger("deformations", mechanism.deformation) + larger("roughness", rough);
  }

  function draw() {
    view.follow();
    drawSolids(); drawMembers(); drawSurfaces(); drawContacts(); drawSprings(); drawSymbols(); drawForces(); drawTraces(); drawNames(); drawScale();
  }
  function drawAll() { view.fit(); draw(); }
  function drawTime() {
    mechanism.set(clock.time);
    draw();
  }

  /* ---- Controls. ---- */

  /**
   * A control of a factor between 1 and the most, in equal parts of its logarithm.
   * @param {"deformation" | "roughness"} name
   * @param {() => { most: number, first: number }} limits
   * @param {(value: number) => void} apply
   */
  function factor(name, limits, apply) {
    const input = byId(name), output = byId(`${name}-shown`);
    let most = 1, chosen = false;
    const take = () => {
      const exact = most ** Number(input.value), digits = 10 ** (Math.floor(Math.log10(exact)) - 1);
      const value = exact < 10 ? Math.round(exact * 10) / 10 : Math.round(exact / digits) * digits;
      output.textContent = "× " + show(value);
      apply(value);
    };
    const measure = () => {
      const last = Number(input.value), { most: now, first } = limits();
      most = now;
      byId(`${name}-field`).hidden = !(most > 1);
      input.value = String(chosen ? last : most > 1 ? Math.log(Math.max(first, 1)) / Math.log(most) : 0);
      take();
    };
    input.addEventListener("input", () => {
      chosen = true;
      take();
      mechanism.set(clock.time);
      view.world = view.survey();
      traces.forEach(trace);
      drawAll();
      note();
    });
    measure();
    renewals.push(measure);
  }

  /** The control of the length of arrows. */
  function force() {
    const measure = () => { byId("force-field").hidden = !(view.largestForce > 0 || view.largestPressure > 0); };
    measure();
    renewals.push(measure);
    const take = () => { byId("force-shown").textContent = "× " + show(Number(byId("force").value)); };
    byId("force").addEventListener("input", () => { take(); drawAll(); });
    take();
  }

  /** Controls of the colours of bodies. */
  function colours() {
    byId("elements-field").hidden = !solids;
    const measure = () => {
      // Rigid bodies have no stress.
      byId("colour-field").hidden = !solids?.largest;
      if (solids) byId("range").value = String(Math.log10(solids.part));
      take();
    };
    const take = () => {
      if (solids) solids.part = 10 ** Number(byId("range").value);
      byId("range-field").hidden = !coloured();
      byId("range-shown").textContent = solids ? pascals(solids.largest * solids.part) : "";
    };
    for (const input of [byId("colour"), byId("range"), byId("with-elements")]) input.addEventListener("input", () => { take(); draw(); });
    measure();
    renewals.push(measure);
  }

  /** The choice of what is in the middle of the picture. */
  function focus() {
    const select = byId("focus");
    select.append(new Option("everything", "all"), new Option("what moves", "moving"));
    film.points.forEach((name, node) => select.append(new Option("point " + name, String(node))));
    // A mechanism that moves in a corner of a long member would be lost in it.
    if (sizeOf(view.world.moving) < 0.3 * sizeOf(view.world.all)) view.focus = "moving";
    select.value = view.focus;
    select.addEventListener("change", () => { view.focus = select.value; view.pan = [0, 0]; drawAll(); });
  }

  /** The choice of points whose paths are drawn. */
  function tracks() {
    film.points.forEach((name, node) => {
      const label = document.createElement("label"), box = document.createElement("input");
      label.className = "check";
      box.type = "checkbox";
      box.addEventListener("change", () => {
        traces.get(node)?.remove();
        traces.delete(node);
        if (box.checked) {
          const line = make("path", byId("traces"), "trace");
          traces.set(node, line);
          trace(line, node);
        }
        draw();
      });
      label.append(box, name);
      byId("tracks").append(label);
    });
  }

  /** A force in N with three digits. @type {(force: number) => string} */
  const newtons = force => force < 1e4 ? `${show(Number(force.toPrecision(3)))} N` : `${show(Number((force / 1e3).toPrecision(3)))} kN`;

  /**
   * A stress with three digits.
   * @param {number} stress in Pa
   * @returns {string}
   */
  function pascals(stress) {
    /** @type {[number, string][]} */
    const units = [[1e9, "GPa"], [1e6, "MPa"], [1e3, "kPa"]];
    const [unit, name] = units.find(([unit]) => stress >= unit) ?? [1, "Pa"];
    return `${show(Number((stress / unit).toPrecision(3)))} ${name}`;
  }

  /** Explains the picture in words below it. */
  function note() {
    const parts = [];
    if (view.largestForce > 0) parts.push(`Pink arrows: force of a slider on its path; the longest is ${newtons(view.largestForce)}.`);
    if (view.largestPressure > 0) parts.push(`Strokes on the faces of guides: force of a surface by length, friction included, pink where it sticks and orange where it slips; the longest is ${newtons(view.largestPressure)}/m.`);
    if (mechanism.deformation !== 1) parts.push(`Deformations are drawn ${show(mechanism.deformation)} times as large as they are.`);
    if (mechanism.sliders.some(slider => slider.heights) && mechanism.roughness !== 1) parts.push(`Roughness is drawn ${show(mechanism.roughness)} times as high as it is.`);
    if (mechanism.times.length < data.curves.last_row + 1) parts.push(`${mechanism.times.length} frames of ${data.curves.last_row + 1} rows; between them the picture moves on straight lines.`);
    byId("note").textContent = parts.join(" ");
  }

  /**
   * Enlarges the picture and draws it.
   * @param {number} factor 0 for the whole mechanism
   * @param {Point} [at] the position that stays, px
   */
  function zoom(factor, at) {
    view.enlarge(factor, at);
    draw();
  }

  /** Mouse: drag moves, Ctrl and wheel enlarges. Fingers: one sideways or two move, two enlarge. */
  function pointers() {
    /** Pixels of each pointer that is down. @type {Map<number, Point>} */
    const down = new Map();
    /** @type {(event: MouseEvent) => Point} */
    const at = event => { const box = picture.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const middle = () => point(i => [...down.values()].reduce((sum, p) => sum + p[i], 0) / down.size);
    const spread = () => { const [a, b] = [...down.values()]; return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0; };
    picture.addEventListener("pointerdown", event => { down.set(event.pointerId, at(event)); picture.setPointerCapture(event.pointerId); });
    picture.addEventListener("pointerup", event => down.delete(event.pointerId));
    picture.addEventListener("pointercancel", event => down.delete(event.pointerId));
    picture.addEventListener("pointermove", event => {
      if (!down.has(event.pointerId)) return;
      const before = middle(), wide = spread();
      down.set(event.pointerId, at(event));
      const after = middle();
      view.pan = point(i => view.pan[i] + after[i] - before[i]);
      if (wide > 0) zoom(spread() / wide, after); else draw();
    });
    picture.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * 0.002), at(event));
    }, { passive: false });
    for (const button of buttonsWith("zoom")) button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  }

  byId("main").classList.add("moving");
  byId("stage").hidden = false;
  byId("display").hidden = false;
  // On a telephone the curves would be far below.
  if (innerWidth < 700) byId("display").open = false;
  byId("with-names").checked = film.points.length <= 12 && innerWidth >= 700;
  byId("with-names").addEventListener("change", draw);
  byId("with-heights").addEventListener("change", draw);
  // Before the controls measure what they are for.
  renewals.push(drawn => {
    if (!data.animation) return;
    const { deformation, roughness } = mechanism;
    Object.assign(mechanism, new Mechanism(data.animation), { deformation, roughness });
    if (solids) Object.assign(solids, new Solids(mechanism, byId("solids")));
    byId("symbols").innerHTML = drawn;
    symbols = collect();
    view.measure();
    mechanism.set(clock.time);
    view.world = view.survey();
  });
  factor("deformation", () => mechanism.film.exaggeration, value => { mechanism.deformation = value; });
  factor("roughness", () => {
    const highest = Math.max(0, ...mechanism.sliders.map(slider => slider.roughness?.largest ?? 0));
    const most = highest > 0 ? roundBelow(Math.max(0.1 * sizeOf(view.world.all) / highest, 1)) : 1;
    // Roughness is of the size of deformations, so that both start alike.
    return { most, first: Math.min(mechanism.film.exaggeration.first, most) };
  }, value => { mechanism.roughness = value; });
  view.world = view.survey();
  force(); colours(); focus(); tracks(); speeds(); transport(() => mechanism.times); pointers(); note();
  byId("main").classList.toggle("wide", view.aspectOf(view.world.all) < 0.35);
  clock.listeners.push(drawTime);
  renewals.push(() => { view.world = view.survey(); traces.forEach(trace); note(); view.fit(); });
  new ResizeObserver(drawAll).observe(byId("view"));
  drawAll();
}
