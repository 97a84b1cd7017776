/* Where everything of the mechanism is at a time; knows nothing of the picture. */

/** Numbers out of base64. */
function decode(text, Type) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  return new Type(bytes.buffer);
}

/** Values and slopes of the Lagrange polynomials of `order` at ξ in [−1, 1]. */
function lagrange(order, xi) {
  const node = l => -1 + 2 * l / order, value = [], slope = [];
  for (let l = 0; l <= order; l++) {
    let f = 1, df = 0;
    for (let m = 0; m <= order; m++) {
      if (m === l) continue;
      const scale = 1 / (node(l) - node(m)), factor = (xi - node(m)) * scale;
      df = df * factor + f * scale;
      f *= factor;
    }
    value.push(f); slope.push(df);
  }
  return { value, slope };
}

class Mechanism {
  constructor(film) {
    this.film = film;
    this.times = film.rows.map(timeOf);
    this.deformations = decode(film.deformations, Int16Array);
    this.poses = film.bodies.map(body => body.poses && decode(body.poses, Float32Array));
    this.sliders = film.sliders.map(slider => ({
      ...slider,
      positions: decode(slider.positions, Float32Array),
      forces: decode(slider.forces, Float32Array),
      heights: slider.roughness && decode(slider.roughness.heights, Float32Array),
      starts: slider.path.map(element => element.start),
      length: slider.path.at(-1).start + slider.path.at(-1).length,
    }));
    this.contacts = film.contacts.map(contact => ({
      ...contact,
      positions: decode(contact.positions, Float32Array),
      forces: decode(contact.forces, Int16Array),
      states: decode(contact.states, Uint8Array),
      starts: contact.path.map(element => element.start),
      length: contact.path.at(-1).start + contact.path.at(-1).length,
    }));
    this.turns = new Map(Object.entries(film.turns).map(([unknown, turns]) => [unknown, decode(turns, Float32Array)]));
    /** How much deformations and roughness are exaggerated. */
    this.deformation = film.exaggeration.first;
    this.roughness = 1;
    /** Present places of the nodes, x and y in turn, m. */
    this.places = new Float64Array(film.initial.length);
    this.weights = film.members.map(member => {
      const list = [];
      for (let k = 0; k <= member.pieces; k++) list.push(lagrange(member.order, -1 + 2 * k / member.pieces).value);
      return list;
    });
    this.set(0);
  }

  /** Goes to a time; between two frames everything moves on straight lines. */
  set(time) {
    const { film, places } = this;
    const i = lastAtMost(this.times, time), j = Math.min(i + 1, this.times.length - 1);
    const share = j > i ? Math.min(Math.max((time - this.times[i]) / (this.times[j] - this.times[i]), 0), 1) : 0;
    this.frame = share < 0.5 ? i : j;
    this.between = (values, width, k) => values[i * width + k] * (1 - share) + values[j * width + k] * share;
    const poses = film.bodies.map((body, b) => {
      const at = this.poses[b] ? [0, 1, 2].map(k => this.between(this.poses[b], 3, k)) : [0, 0, 0];
      return { x: at[0], y: at[1], cos: Math.cos(at[2]), sin: Math.sin(at[2]) };
    });
    for (let n = 0; n < film.body.length; n++) {
      const [cx, cy] = film.bodies[film.body[n]].centre, pose = poses[film.body[n]];
      const x = film.initial[2 * n] - cx, y = film.initial[2 * n + 1] - cy;
      places[2 * n] = cx + pose.x + pose.cos * x - pose.sin * y;
      places[2 * n + 1] = cy + pose.y + pose.sin * x + pose.cos * y;
    }
    const factor = film.unit * this.deformation, width = 2 * film.moving.length;
    film.moving.forEach((n, m) => {
      places[2 * n] += factor * this.between(this.deformations, width, 2 * m);
      places[2 * n + 1] += factor * this.between(this.deformations, width, 2 * m + 1);
    });
    this.carry();
  }

  /** Puts what only sliders hold onto its paths as they are drawn, so that exaggerating them does
      not part the two: moved, turned and scaled, which is exact for one and two sliders. */
  carry() {
    const { film, places } = this;
    const ridden = new Map();
    this.sliders.forEach((slider, j) => {
      const assembly = film.bodies[film.body[slider.point]].assembly;
      if (!film.held[assembly]) ridden.set(assembly, [...(ridden.get(assembly) ?? []), j]);
    });
    for (const [assembly, list] of ridden) {
      const from = list.map(j => this.place(this.sliders[j].point)), to = list.map(j => this.contact(j));
      const mean = points => [0, 1].map(i => points.reduce((sum, p) => sum + p[i], 0) / points.length);
      const a = mean(from), b = mean(to);
      let along = 0, across = 0, square = 0;
      from.forEach((p, k) => {
        const [x, y] = [p[0] - a[0], p[1] - a[1]], [u, v] = [to[k][0] - b[0], to[k][1] - b[1]];
        along += x * u + y * v;
        across += x * v - y * u;
        square += x * x + y * y;
      });
      const [cos, sin] = square > 0 ? [along / square, across / square] : [1, 0];
      for (let n = 0; n < film.body.length; n++) {
        if (film.bodies[film.body[n]].assembly !== assembly) continue;
        const [x, y] = [places[2 * n] - a[0], places[2 * n + 1] - a[1]];
        places[2 * n] = b[0] + cos * x - sin * y;
        places[2 * n + 1] = b[1] + sin * x + cos * y;
      }
    }
  }

  /** Both ends of a spring, m. */
  ends(spring) {
    return [spring.from === null ? spring.ground : this.place(spring.from), this.place(spring.to)];
  }

  /** Where the end of a spring is stopped, m, in which direction it then moves, and whether rigidly. */
  stops(spring) {
    const [a, b] = this.ends(spring), way = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(...way) || 1;
    const along = spring.axis === null ? way.map(x => x / length) : [1 - spring.axis, spring.axis];
    const now = spring.axis === null ? length : way[spring.axis];
    return spring.stops.map(([at, rigid]) => ({ place: [0, 1].map(i => b[i] + (at - now) * along[i]), along, rigid }));
  }

  /** How far a section has turned, rad. */
  turned(unknown) {
    return this.between(this.turns.get(unknown), 1, 0);
  }

  /** Place of a node, m. */
  place(node) {
    return [this.places[2 * node], this.places[2 * node + 1]];
  }

  /** Places along the axis of a member, m. */
  axis(m) {
    const { nodes, order, pieces } = this.film.members[m], list = [];
    for (let e = 0; e * order < nodes.length - 1; e++) {
      for (let k = e === 0 ? 0 : 1; k <= pieces; k++) list.push(this.blend(nodes, e * order, this.weights[m][k]));
    }
    return list;
  }

  blend(nodes, first, weights) {
    let x = 0, y = 0;
    for (let l = 0; l < weights.length; l++) {
      x += weights[l] * this.places[2 * nodes[first + l]];
      y += weights[l] * this.places[2 * nodes[first + l] + 1];
    }
    return [x, y];
  }

  /** Places along a face of the guide of a contact, 1 on the left of its path, m. */
  face(contact, side) {
    const list = [];
    for (const { start, length } of contact.path) {
      for (let k = list.length ? 1 : 0; k <= 8; k++) list.push(this.onFace(contact, start + length * k / 8, side));
    }
    return list;
  }

  onFace(contact, s, side) {
    const { place: [x, y], along: [u, v] } = this.onPath(contact, s), h = side * contact.offset;
    return [x - h * v, y + h * u];
  }

  /** Places along a part of a surface, m. */
  bearing({ nodes, order, pieces, height }) {
    const list = [];
    for (let e = 0; e * order < nodes.length - 1; e++) {
      for (let k = e === 0 ? 0 : 1; k <= pieces; k++) {
        const { value, slope } = lagrange(order, -1 + 2 * k / pieces);
        const [x, y] = this.blend(nodes, e * order, value), [u, v] = this.blend(nodes, e * order, slope);
        const size = Math.hypot(u, v) || 1;
        list.push([x - height * v / size, y + height * u / size]);
      }
    }
    return list;
  }

  /** Where point k of a contact bears, the force by length on its path there, N/m, and what it does. */
  bears(contact, k) {
    const { points, positions, forces, states } = contact, unit = this.film.pressure_unit;
    const pressure = unit * this.between(forces, 2 * points, 2 * k), friction = unit * this.between(forces, 2 * points, 2 * k + 1);
    const s = this.between(positions, points, k), [u, v] = this.onPath(contact, s).along;
    const force = [friction * u - pressure * v, friction * v + pressure * u];
    return { place: this.onFace(contact, s, Math.sign(pressure)), force, state: states[this.frame * points + k] };
  }

  /** Place and direction of growing s on the path of a slider or a contact; beyond the ends it goes on straight. */
  onPath(slider, s) {
    const inside = Math.min(Math.max(s, 0), slider.length);
    const element = slider.path[lastAtMost(slider.starts, inside)];
    const xi = 2 * (inside - element.start) / element.length - 1;
    const { value, slope } = lagrange(element.nodes.length - 1, xi);
    const [x, y] = this.blend(element.nodes, 0, value);
    const [u, v] = this.blend(element.nodes, 0, slope);
    const size = Math.hypot(u, v) || 1, beyond = s - inside;
    return { place: [x + beyond * u / size, y + beyond * v / size], along: [u / size, v / size] };
  }

  /** Height of a rough path as it is drawn, m. */
  height(slider, s) {
    if (!slider.heights) return 0;
    const at = Math.min(Math.max(s / slider.roughness.step, 0), slider.heights.length - 1);
    const k = Math.min(Math.floor(at), slider.heights.length - 2), share = at - k;
    return this.roughness * (slider.heights[k] * (1 - share) + slider.heights[k + 1] * share);
  }

  /** Place on the surface of a path. */
  surface(slider, s) {
    const { place, along } = this.onPath(slider, s), h = this.height(slider, s);
    return [place[0] - h * along[1], place[1] + h * along[0]];
  }

  /** Where a slider touches its path. */
  contact(j) {
    return this.surface(this.sliders[j], this.position(j));
  }

  /** Sliding coordinate, m. */
  position(j) {
    return this.between(this.sliders[j].positions, 1, 0);
  }

  /** Force of a slider on its path, N. */
  force(j) {
    return [0, 1].map(i => this.between(this.sliders[j].forces, 2, i));
  }
}
