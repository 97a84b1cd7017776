/* The picture of the mechanism and its controls. */

if (data.animation) {
  const film = data.animation, mechanism = new Mechanism(film);
  const picture = byId("picture");
  /** Room around the mechanism for symbols, px. */
  const MARGIN = 64;
  /** Room below for the scale and the buttons, px. */
  const BOTTOM = 40;
  /** Length of the longest arrow, px, and its largest part of the picture. */
  const ARROW = 70, MOST_ARROW = 0.3;
  // Half of the bar at which the end of a spring is stopped.
  const HALF_STOP = 8;
  const make = (name, parent, className) => {
    const element = document.createElementNS(picture.namespaceURI, name);
    if (className) element.setAttribute("class", className);
    parent.append(element);
    return element;
  };

  /* ---- The view: which part of the world is where in the picture. ---- */

  const view = { width: 0, height: 0, scale: 1, x: 0, y: 0, zoom: 1, pan: [0, 0], focus: "all" };
  const toPixel = ([x, y]) => [
    view.width / 2 + view.scale * (x - view.x) + view.pan[0],
    (view.height - BOTTOM) / 2 - view.scale * (y - view.y) + view.pan[1],
  ];

  /** Smallest boxes around all places of the run and around those that move. */
  function extents() {
    const all = [Infinity, Infinity, -Infinity, -Infinity], moving = [...all];
    const grow = (box, x, y) => {
      box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
    };
    const count = film.body.length, boxes = Array.from({ length: count }, () => [Infinity, Infinity, -Infinity, -Infinity]);
    const every = Math.max(1, Math.floor(mechanism.times.length / 100));
    for (let f = 0; f < mechanism.times.length; f += every) {
      mechanism.set(mechanism.times[f]);
      for (let n = 0; n < count; n++) grow(boxes[n], ...mechanism.place(n));
    }
    mechanism.set(clock.time);
    for (const box of boxes) { grow(all, box[0], box[1]); grow(all, box[2], box[3]); }
    const size = Math.hypot(all[2] - all[0], all[3] - all[1]);
    boxes.forEach((box, n) => {
      if (Math.hypot(box[2] - box[0], box[3] - box[1]) < 1e-3 * size) return;
      grow(moving, box[0], box[1]); grow(moving, box[2], box[3]);
      // What is tied to it, so that one sees by what it moves.
      film.members.filter(m => m.height === null && m.nodes.includes(n)).flatMap(m => m.nodes)
        .concat(film.sliders.filter(s => s.point === n).flatMap(s => s.path).flatMap(e => e.nodes))
        .forEach(other => grow(moving, ...mechanism.place(other)));
    });
    return { all, moving: moving[0] > moving[2] ? all : moving };
  }

  /** Largest contact force of the run, N. */
  const largest = mechanism.sliders.reduce((most, { forces }) => {
    for (let k = 0; k < forces.length; k += 2) most = Math.max(most, Math.hypot(forces[k], forces[k + 1]));
    return most;
  }, 0);

  /** Largest force by length of a surface in the run, N/m. */
  const pressed = mechanism.contacts.reduce((most, { forces }) => {
    for (let k = 0; k < forces.length; k += 2) most = Math.max(most, film.pressure_unit * Math.hypot(forces[k], forces[k + 1]));
    return most;
  }, 0);

  /** Where the larger contact forces of the run act, m, and their shares of the largest. */
  function pulls() {
    const list = [];
    for (const time of largest > 0 ? mechanism.times : []) {
      mechanism.set(time);
      mechanism.sliders.forEach((_, j) => {
        const [u, v] = mechanism.force(j).map(f => f / largest);
        if (Math.hypot(u, v) > 0.05) list.push({ place: mechanism.contact(j), u, v });
      });
    }
    mechanism.set(clock.time);
    return list;
  }

  /** What the picture must have room for, with deformations as large as they are drawn. */
  const survey = () => ({ ...extents(), pulls: pulls() });
  let world = survey();
  const sizeOf = box => Math.hypot(box[2] - box[0], box[3] - box[1]);
  const aspectOf = box => (box[3] - box[1]) / Math.max(box[2] - box[0], 1e-9 * sizeOf(world.all), 1e-30);

  /** Fits the picture into the page and the mechanism into the picture. */
  function fit() {
    const box = view.focus === "moving" ? world.moving : world.all;
    const room = symbolScale() * MARGIN;
    view.width = picture.clientWidth || 300;
    // Around a point there is something to see on all sides.
    const aspect = view.focus === "all" || view.focus === "moving" ? aspectOf(box) : 0.6;
    const wanted = Math.max(view.width - 2 * room, 50) * aspect + 2 * room + BOTTOM;
    const tallest = innerWidth < 700 ? 0.42 * innerHeight : 0.62 * innerHeight;
    view.height = Math.round(Math.min(Math.max(wanted, 170), Math.max(tallest, 170)));
    picture.setAttribute("height", view.height);
    picture.setAttribute("viewBox", `0 0 ${view.width} ${view.height}`);
    const [wide, high] = [view.width, view.height - BOTTOM], size = [box[2] - box[0], box[3] - box[1]];
    // Left, above, right, below. How far arrows stick out follows from the scale, and that from the room for them.
    let rooms = [room, room, room, room], whole = 100;
    for (let pass = 0; pass < 4; pass++) {
      const scales = [(wide - rooms[0] - rooms[2]) / size[0], (high - rooms[1] - rooms[3]) / size[1]];
      const least = Math.min(...scales.filter(scale => Number.isFinite(scale) && scale > 0));
      if (Number.isFinite(least)) whole = least;
      if (view.focus === "all" || view.focus === "moving") rooms = roomsOfArrows(box, whole, rooms);
    }
    view.scale = whole * view.zoom;
    view.x = (box[0] + box[2]) / 2 - (rooms[0] - rooms[2]) / 2 / whole;
    view.y = (box[1] + box[3]) / 2 + (rooms[1] - rooms[3]) / 2 / whole;
    follow();
  }

  /** Room around a box in which every arrow of the run ends, as far as the picture has it, px. */
  function roomsOfArrows(box, scale, rooms) {
    const length = arrowLength(), needed = [...rooms], near = 0.05 * sizeOf(box);
    for (const { place: [x, y], u, v } of world.pulls) {
      // An arrow at a slider that is not looked at may leave the picture with it.
      if (x < box[0] - near || x > box[2] + near || y < box[1] - near || y > box[3] + near) continue;
      const tail = [scale * (x - box[0]) - u * length, scale * (box[3] - y) + v * length];
      const out = [-tail[0], -tail[1], tail[0] - scale * (box[2] - box[0]), tail[1] - scale * (box[3] - box[1])];
      out.forEach((px, side) => { needed[side] = Math.max(needed[side], px + 6); });
    }
    return needed;
  }

  /** Length of the longest arrow as it is drawn, px. */
  const arrowLength = () => Math.min(
    ARROW * symbolScale() * Number(byId("force").value), MOST_ARROW * Math.min(view.width, view.height - BOTTOM));

  function follow() {
    if (view.focus !== "all" && view.focus !== "moving") [view.x, view.y] = mechanism.place(Number(view.focus));
  }

  /** Enlarges about a place of the picture, which stays where it is. */
  function zoom(factor, at = [view.width / 2, (view.height - BOTTOM) / 2]) {
    const before = view.zoom;
    view.zoom = factor === 0 ? 1 : Math.min(Math.max(view.zoom * factor, 0.2), 1e4);
    const real = view.zoom / before;
    view.pan = factor === 0 ? [0, 0] : [0, 1].map(i => {
      const middle = [view.width, view.height - BOTTOM][i] / 2;
      return at[i] - middle - (at[i] - middle - view.pan[i]) * real;
    });
    fit();
    draw();
  }

  /** Symbols are smaller where there is less room. */
  const symbolScale = () => innerWidth < 700 ? 0.62 : 1;

  /* ---- What is drawn. ---- */

  const heights = () => byId("with-heights").checked;
  const polyline = points => points.map(([x, y], k) => (k ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1)).join("");

  const members = film.members.map((member, m) => {
    const axis = make("path", byId("members"), member.height === null ? "held" : "elastic");
    const hatch = member.height === null && make("path", byId("members"), "hatch");
    axis.dataset.member = member.name;
    return { member, m, axis, hatch };
  });

  /** Strokes on the right of a line, which is below one that runs to the right. */
  function strokes(points) {
    const [a, b] = [points[0], points.at(-1)];
    if (a[0] > b[0] || (a[0] === b[0] && a[1] < b[1])) points = [...points].reverse();
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
    for (const { member, m, axis, hatch } of members) {
      const points = mechanism.axis(m).map(toPixel);
      axis.setAttribute("d", polyline(points));
      if (hatch) hatch.setAttribute("d", strokes(points));
      else {
        const width = heights() ? Math.max(member.height * view.scale, 1) : 4 * Math.max(symbolScale(), 0.75);
        axis.style.strokeWidth = width + "px";
        axis.classList.toggle("thick", heights());
      }
    }
  }

  const surfaces = mechanism.sliders.map(slider => slider.heights && make("path", byId("surfaces"), "surface"));
  function drawSurfaces() {
    mechanism.sliders.forEach((slider, j) => {
      if (!surfaces[j]) return;
      const count = Math.min(slider.heights.length - 1, 1500), points = [];
      for (let k = 0; k <= count; k++) points.push(toPixel(mechanism.surface(slider, slider.length * k / count)));
      surfaces[j].setAttribute("d", polyline(points));
    });
  }

  const bearings = mechanism.contacts.map(contact => {
    const path = (group, name) => make("path", byId(group), name);
    const strokes = ["sticks", "slips"].map(state => path("pressures", "pressure " + state));
    for (const stroke of strokes) stroke.dataset.contact = contact.name;
    return {
      contact, faces: contact.sides.map(side => ({ side, line: path("contacts", "face") })),
      parts: contact.surface.map(part => ({ part, line: path("contacts", "bearing") })), strokes,
    };
  });
  function drawContacts() {
    const length = 0.6 * arrowLength();
    for (const { contact, faces, parts, strokes } of bearings) {
      for (const { side, line } of faces) line.setAttribute("d", polyline(mechanism.face(contact, side).map(toPixel)));
      for (const { part, line } of parts) line.setAttribute("d", polyline(mechanism.bearing(part).map(toPixel)));
      const texts = ["", ""];
      for (let k = 0; k < contact.points && pressed > 0; k++) {
        const { place, force, state } = mechanism.bears(contact, k), [u, v] = force.map(f => length * f / pressed);
        if (Math.hypot(u, v) < 0.5) continue;
        const [x, y] = toPixel(place);
        texts[state === 2 ? 1 : 0] += `M${x.toFixed(1)} ${y.toFixed(1)}l${u.toFixed(1)} ${(-v).toFixed(1)}`;
      }
      strokes.forEach((stroke, state) => stroke.setAttribute("d", texts[state]));
    }
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
      const [a, b] = mechanism.ends(spring).map(toPixel), way = [b[0] - a[0], b[1] - a[1]];
      const length = Math.hypot(...way) || 1, across = [-way[1] / length, way[0] / length];
      line.setAttribute("d", polyline(spring.line.map(([share, high]) => [0, 1].map(i => a[i] + share * way[i] + size * high * across[i]))));
      mechanism.stops(spring).forEach(({ place, along: [u, v] }, k) => {
        const [x, y] = toPixel(place), half = HALF_STOP * size;
        bars[k].setAttribute("d", polyline([-half, half].map(d => [x + d * v, y + d * u])));
      });
    }
  }

  const symbols = [...document.querySelectorAll("#symbols > g")].map(group => ({
    group, kind: group.dataset.anchor, index: Number(group.dataset.index), turns: group.dataset.turns,
  }));
  function drawSymbols() {
    const size = symbolScale();
    for (const { group, kind, index, turns } of symbols) {
      let at, angle = 0;
      if (kind === "slider") {
        const [u, v] = mechanism.onPath(mechanism.sliders[index], mechanism.position(index)).along;
        at = mechanism.contact(index);
        angle = Math.atan2(-v, u) * 180 / Math.PI;
      } else if (kind === "member") {
        const axis = mechanism.axis(index);
        at = axis[axis.length >> 1];
      } else at = mechanism.place(index);
      if (kind === "section") angle = -mechanism.turned(turns) * 180 / Math.PI;
      const [x, y] = toPixel(at);
      group.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${angle.toFixed(2)}) scale(${size})`);
    }
  }

  const arrows = mechanism.sliders.map(() => {
    const group = make("g", byId("forces"), "force");
    return { group, line: make("line", group), head: make("polygon", group) };
  });
  function drawForces() {
    const length = arrowLength();
    arrows.forEach(({ group, line, head }, j) => {
      const force = mechanism.force(j), size = Math.hypot(...force), shown = length * size / largest;
      group.style.display = shown >= 2 ? "" : "none";
      if (!(shown >= 2)) return;
      // It ends where the slider presses on its path.
      const [x, y] = toPixel(mechanism.contact(j)), [u, v] = [force[0] / size, -force[1] / size];
      const tip = Math.min(10, shown / 2), wide = tip * 0.4, [bx, by] = [x - u * tip, y - v * tip];
      const set = (element, values) => { for (const key in values) element.setAttribute(key, values[key]); };
      set(line, { x1: x - u * shown, y1: y - v * shown, x2: bx, y2: by });
      set(head, { points: `${x},${y} ${bx - v * wide},${by + u * wide} ${bx + v * wide},${by - u * wide}` });
    });
  }

  const solids = film.solids.length ? new Solids(mechanism, byId("solids")) : null;
  const coloured = () => solids.largest > 0 && byId("colour").value === "stress";
  function drawSolids() {
    if (!solids) return;
    const [x, y] = toPixel([0, 0]), { width, height, scale } = view;
    solids.draw({ width, height, scale, x, y, coloured: coloured(), elements: byId("with-elements").checked });
    byId("colours").replaceChildren();
    if (!coloured()) return;
    const wide = Math.min(200, 0.5 * view.width), text = make("text", byId("colours"));
    text.setAttribute("x", 14); text.setAttribute("y", 20);
    const end = solids.largest * solids.share;
    text.textContent = `von Mises stress: 0 to ${pascals(end)}` + (solids.share < 1 ? " and more" : "");
    COLOURS.slice(1).forEach((_, k) => {
      // Each part of the scale with the shade in its middle.
      for (let part = 0; part < 8; part++) {
        const at = (k + (part + 0.5) / 8) / (COLOURS.length - 1), rect = make("rect", byId("colours"));
        const [r, g, b] = new Uint8Array(SHADES.slice(Math.floor(256 * at), Math.floor(256 * at) + 1).buffer);
        const step = wide / 8 / (COLOURS.length - 1);
        const values = { x: 14 + wide * at - step / 2, y: 27, width: step + 0.5, height: 9, fill: `rgb(${r} ${g} ${b})` };
        for (const key in values) rect.setAttribute(key, values[key]);
      }
    });
  }

  /* Paths of points are drawn in the world's coordinates: only a new exaggeration changes them. */
  const traces = new Map();
  function trace(point) {
    const points = mechanism.times.map(time => { mechanism.set(time); return mechanism.place(point); });
    mechanism.set(clock.time);
    traces.get(point).setAttribute("d", points.map(([x, y], k) => (k ? "L" : "M") + x.toPrecision(7) + " " + y.toPrecision(7)).join(""));
  }
  function drawTraces() {
    const [x, y] = toPixel([0, 0]);
    byId("traces").setAttribute("transform", `matrix(${view.scale} 0 0 ${-view.scale} ${x} ${y})`);
  }

  /** Places of a name around its point, near ones first: shares of its own size and px away. */
  const AROUND = [10, 22, 36, 54].flatMap(gap => [[1, -1], [-1, -1], [1, 1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]]
    .map(([x, y]) => ({ x, y, gap })));
  /** Width of each name and the place it had last: one that is free stays where it is. */
  const widths = new Map(), chosen = new Map();

  /** Names beside their points, those of one place together; a name that has no room is left out. */
  function drawNames() {
    byId("names").replaceChildren();
    if (!byId("with-names").checked) return;
    const labels = [], taken = [];
    film.points.forEach((name, point) => {
      const at = toPixel(mechanism.place(point));
      const same = labels.find(label => Math.hypot(label.at[0] - at[0], label.at[1] - at[1]) < 6);
      if (same) same.names.push(name); else labels.push({ at, names: [name] });
    });
    for (const { at, names } of labels) {
      const text = make("text", byId("names")), name = names.join(", ");
      text.textContent = name;
      text.setAttribute("text-anchor", "middle");
      if (!widths.has(name)) widths.set(name, text.getComputedTextLength());
      const half = [widths.get(name) / 2 + 1, 9];
      const boxes = [chosen.get(name), ...AROUND].filter(place => place).map(place => ({
        place, x: at[0] + place.x * (half[0] + place.gap), y: at[1] + place.y * (half[1] + place.gap),
      }));
      const free = boxes.find(({ x, y }) =>
        x >= half[0] && x + half[0] <= view.width && y >= half[1] && y + half[1] <= view.height - BOTTOM
        && taken.every(other => Math.abs(other.x - x) >= half[0] + other.half[0] || Math.abs(other.y - y) >= half[1] + other.half[1]));
      if (!free) { text.remove(); continue; }
      chosen.set(name, free.place);
      taken.push({ x: free.x, y: free.y, half });
      text.setAttribute("x", free.x); text.setAttribute("y", free.y + 5);
    }
  }

  function drawScale() {
    const length = roundBelow(0.25 * view.width / view.scale), [x, y] = [14, view.height - 12];
    byId("scale").replaceChildren();
    const line = make("line", byId("scale")), text = make("text", byId("scale"));
    for (const [key, value] of Object.entries({ x1: x, y1: y, x2: x + length * view.scale, y2: y })) line.setAttribute(key, value);
    text.setAttribute("x", x); text.setAttribute("y", y - 7);
    const larger = (name, factor) => factor === 1 ? "" : ` · ${name} × ${show(factor)}`;
    const rough = surfaces.some(surface => surface) ? mechanism.roughness : 1;
    text.textContent = show(length) + " m" + larger("deformations", mechanism.deformation) + larger("roughness", rough);
  }

  function draw() {
    follow();
    drawSolids(); drawMembers(); drawSurfaces(); drawContacts(); drawSprings(); drawSymbols(); drawForces(); drawTraces(); drawNames(); drawScale();
  }
  function drawAll() { fit(); draw(); }
  function drawTime() {
    mechanism.set(clock.time);
    draw();
  }

  /* ---- Controls. ---- */

  /** A control of a factor between 1 and `most`, in equal parts of its logarithm. */
  function factor(name, most, first, set) {
    const input = byId(name), output = byId(name + "-shown");
    byId(name + "-field").hidden = !(most > 1);
    input.value = most > 1 ? Math.log(Math.max(first, 1)) / Math.log(most) : 0;
    const take = () => {
      const exact = most ** Number(input.value), digits = 10 ** (Math.floor(Math.log10(exact)) - 1);
      const value = exact < 10 ? Math.round(exact * 10) / 10 : Math.round(exact / digits) * digits;
      output.textContent = "× " + show(value);
      set(value);
    };
    input.addEventListener("input", () => {
      take();
      mechanism.set(clock.time);
      world = survey();
      traces.forEach((_, point) => trace(point));
      drawAll();
      note();
    });
    take();
  }

  function force() {
    byId("force-field").hidden = !(largest > 0 || pressed > 0);
    const take = () => { byId("force-shown").textContent = "× " + show(Number(byId("force").value)); };
    byId("force").addEventListener("input", () => { take(); drawAll(); });
    take();
  }

  /** Controls of the colours of bodies. */
  function colours() {
    byId("elements-field").hidden = !solids;
    // Rigid bodies have no stress.
    byId("colour-field").hidden = !solids?.largest;
    if (solids) byId("range").value = Math.log10(solids.share);
    const take = () => {
      if (solids) solids.share = 10 ** Number(byId("range").value);
      byId("range-field").hidden = !solids || !coloured();
      byId("range-shown").textContent = solids ? pascals(solids.largest * solids.share) : "";
    };
    for (const id of ["colour", "range", "with-elements"]) byId(id).addEventListener("input", () => { take(); draw(); });
    take();
  }

  function focus() {
    const select = byId("focus"), add = (value, text) => select.append(new Option(text, value));
    add("all", "everything"); add("moving", "what moves");
    film.points.forEach((name, point) => add(point, "point " + name));
    // A mechanism that moves in a corner of a long member would be lost in it.
    if (sizeOf(world.moving) < 0.3 * sizeOf(world.all)) view.focus = "moving";
    select.value = view.focus;
    select.addEventListener("change", () => { view.focus = select.value; view.pan = [0, 0]; drawAll(); });
  }

  function tracks() {
    film.points.forEach((name, point) => {
      const label = document.createElement("label"), box = document.createElement("input");
      label.className = "check";
      box.type = "checkbox";
      box.addEventListener("change", () => {
        if (box.checked) { traces.set(point, make("path", byId("traces"), "trace")); trace(point); }
        else { traces.get(point).remove(); traces.delete(point); }
        draw();
      });
      label.append(box, name);
      byId("tracks").append(label);
    });
  }

  /** A force with three digits. */
  const newtons = force => force < 1e4 ? `${show(Number(force.toPrecision(3)))} N` : `${show(Number((force / 1e3).toPrecision(3)))} kN`;

  /** A stress with three digits. */
  function pascals(stress) {
    const [unit, name] = [[1e9, "GPa"], [1e6, "MPa"], [1e3, "kPa"]].find(([unit]) => stress >= unit) ?? [1, "Pa"];
    return `${show(Number((stress / unit).toPrecision(3)))} ${name}`;
  }

  /** What the picture does not say itself. */
  function note() {
    const parts = [];
    if (largest > 0) parts.push(`Pink arrows: force of a slider on its path; the longest is ${newtons(largest)}.`);
    if (pressed > 0) parts.push(`Strokes on the faces of guides: force of a surface by length, friction included, pink where it sticks and orange where it slips; the longest is ${newtons(pressed)}/m.`);
    if (mechanism.deformation !== 1) parts.push(`Deformations are drawn ${show(mechanism.deformation)} times as large as they are.`);
    if (mechanism.sliders.some(slider => slider.heights) && mechanism.roughness !== 1) parts.push(`Roughness is drawn ${show(mechanism.roughness)} times as high as it is.`);
    if (mechanism.times.length < data.curves.last_row + 1) parts.push(`${mechanism.times.length} frames of ${data.curves.last_row + 1} rows; between them the picture moves on straight lines.`);
    byId("note").textContent = parts.join(" ");
  }

  /** Mouse: drag moves, Ctrl and wheel enlarges. Fingers: one sideways or two move, two enlarge. */
  function hands() {
    const held = new Map();
    const at = event => { const box = picture.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const middle = () => [0, 1].map(i => [...held.values()].reduce((sum, p) => sum + p[i], 0) / held.size);
    const spread = () => { const [a, b] = [...held.values()]; return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0; };
    picture.addEventListener("pointerdown", event => { held.set(event.pointerId, at(event)); picture.setPointerCapture(event.pointerId); });
    for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, event => held.delete(event.pointerId));
    picture.addEventListener("pointermove", event => {
      if (!held.has(event.pointerId)) return;
      const before = middle(), wide = spread();
      held.set(event.pointerId, at(event));
      const after = middle();
      view.pan = view.pan.map((p, i) => p + after[i] - before[i]);
      if (wide > 0) zoom(spread() / wide, after); else draw();
    });
    picture.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * 0.002), at(event));
    }, { passive: false });
    for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  }

  document.querySelector("main").classList.add("moving");
  byId("stage").hidden = byId("display").hidden = false;
  // On a telephone the curves would be far below.
  if (innerWidth < 700) byId("display").open = false;
  byId("with-names").checked = film.points.length <= 12 && innerWidth >= 700;
  for (const id of ["with-names", "with-heights"]) byId(id).addEventListener("change", draw);
  const highest = Math.max(0, ...mechanism.sliders.map(slider => slider.roughness?.largest ?? 0));
  const rough = highest > 0 ? roundBelow(Math.max(0.1 * sizeOf(world.all) / highest, 1)) : 1;
  factor("deformation", film.exaggeration.most, film.exaggeration.first, value => { mechanism.deformation = value; });
  // Roughness is of the size of deformations, so that both start alike.
  factor("roughness", rough, Math.min(film.exaggeration.first, rough), value => { mechanism.roughness = value; });
  world = survey();
  force(); colours(); focus(); tracks(); speeds(); transport(mechanism.times); hands(); note();
  document.querySelector("main").classList.toggle("wide", aspectOf(world.all) < 0.35);
  clock.listeners.push(drawTime);
  new ResizeObserver(drawAll).observe(byId("view"));
  drawAll();
}
