/* Where everything of the mechanism is at a time; knows nothing of the picture. */

/**
 * Numbers out of base64.
 * @template Numbers
 * @param {Base64} text
 * @param {new (buffer: ArrayBuffer) => Numbers} Type
 * @returns {Numbers}
 */
function decode(text, Type) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  return new Type(bytes.buffer);
}

/**
 * A point from its coordinates 0 and 1, in the order of x and y.
 * @param {(i: 0 | 1) => number} coordinate
 * @returns {Point}
 */
const point = coordinate => [coordinate(0), coordinate(1)];

/**
 * Lagrange polynomials of `order` with equidistant nodes, and their derivatives by ξ.
 * @param {number} order
 * @param {number} xi ξ in [−1, 1]
 * @returns {Polynomials}
 */
function lagrange(order, xi) {
  /** @param {number} l */
  const node = l => -1 + 2 * l / order;
  const value = [], slope = [];
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

/**
 * A path with the beginnings of its elements and its length.
 * @param {PathData[]} path
 * @returns {Path}
 */
function measured(path) {
  const last = path[path.length - 1];
  return { path, starts: path.map(element => element.start), length: last.start + last.length };
}

/** @typedef {Mechanism["sliders"][number]} Slider */
/** @typedef {Mechanism["contacts"][number]} Contact */

class Mechanism {
  /** @param {AnimationData} film */
  constructor(film) {
    this.film = film;
    this.times = film.rows.map(timeOf);
    this.deformations = decode(film.deformations, Int16Array);
    this.poses = film.bodies.map(body => body.poses ? decode(body.poses, Float32Array) : null);
    this.sliders = film.sliders.map(slider => ({
      ...slider,
      positions: decode(slider.positions, Float32Array),
      forces: decode(slider.forces, Float32Array),
      heights: slider.roughness && decode(slider.roughness.heights, Float32Array),
      ...measured(slider.path),
    }));
    this.contacts = film.contacts.map(contact => ({
      ...contact,
      positions: decode(contact.positions, Float32Array),
      forces: decode(contact.forces, Int16Array),
      states: decode(contact.states, Uint8Array),
      ...measured(contact.path),
    }));
    this.turns = Object.fromEntries(Object.entries(film.turns).map(([unknown, turns]) => [unknown, decode(turns, Float32Array)]));
    /** Factors by which deformations and roughness are exaggerated. */
    this.deformation = film.exaggeration.first;
    this.roughness = 1;
    /** Present positions of the nodes, x and y in turn, m. */
    this.places = new Float64Array(film.initial.length);
    /** The same without exaggeration. */
    this.real = new Float64Array(film.initial.length);
    /** The frames before and after the present time, and the part of the time between them that has passed. */
    this.before = 0;
    this.after = 0;
    this.part = 0;
    this.weights = film.members.map(member => {
      const list = [];
      for (let k = 0; k <= member.pieces; k++) list.push(lagrange(member.order, -1 + 2 * k / member.pieces).value);
      return list;
    });
    this.set(0);
  }

  /**
   * Goes to a time; between two frames everything moves on straight lines.
   * @param {number} time in s
   */
  set(time) {
    const { film, places, times } = this;
    const i = lastAtMost(times, time), j = Math.min(i + 1, times.length - 1);
    this.before = i;
    this.after = j;
    this.part = j > i ? Math.min(Math.max((time - times[i]) / (times[j] - times[i]), 0), 1) : 0;
    const poses = film.bodies.map((body, b) => {
      const numbers = this.poses[b], at = numbers ? [0, 1, 2].map(k => this.between(numbers, 3, k)) : [0, 0, 0];
      return { x: at[0], y: at[1], cos: Math.cos(at[2]), sin: Math.sin(at[2]) };
    });
    for (let n = 0; n < film.body.length; n++) {
      const [cx, cy] = film.bodies[film.body[n]].centre, pose = poses[film.body[n]];
      const x = film.initial[2 * n] - cx, y = film.initial[2 * n + 1] - cy;
      places[2 * n] = cx + pose.x + pose.cos * x - pose.sin * y;
      places[2 * n + 1] = cy + pose.y + pose.sin * x + pose.cos * y;
    }
    const { real, deformation } = this, width = 2 * film.moving.length;
    real.set(places);
    film.moving.forEach((n, m) => {
      for (let i = 0; i < 2; i++) {
        const moved = film.unit * this.between(this.deformations, width, 2 * m + i);
        real[2 * n + i] += moved;
        places[2 * n + i] += deformation * moved;
      }
    });
    this.moveOntoPaths();
  }

  /** The nearer of the two frames around the present time. */
  get frame() {
    return this.part < 0.5 ? this.before : this.after;
  }

  /**
   * Present value of number k of those that are given frame by frame, `width` in each.
   * @param {ArrayLike<number>} values
   * @param {number} width
   * @param {number} k
   * @returns {number}
   */
  between(values, width, k) {
    return values[this.before * width + k] * (1 - this.part) + values[this.after * width + k] * this.part;
  }

  /** Moves assemblies that only sliders support onto the paths as they are drawn, so that exaggerated deformations do not part
      the two. They are moved, turned and scaled, which is exact for one and two sliders. */
  moveOntoPaths() {
    const { film, places } = this;
    /** Sliders of each of these assemblies. @type {Map<number, number[]>} */
    const carried = new Map();
    this.sliders.forEach((slider, j) => {
      const assembly = film.bodies[film.body[slider.point]].assembly;
      if (!film.held[assembly]) carried.set(assembly, [...(carried.get(assembly) ?? []), j]);
    });
    for (const [assembly, list] of carried) {
      const from = list.map(j => this.place(this.sliders[j].point)), to = list.map(j => this.placeOfSlider(j));
      /** @type {(points: Point[]) => Point} */
      const mean = points => point(i => points.reduce((sum, p) => sum + p[i], 0) / points.length);
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

  /**
   * Both ends of a spring, m.
   * @param {SpringData} spring
   * @returns {[Point, Point]}
   */
  ends(spring) {
    return [spring.from === null ? spring.ground : this.place(spring.from), this.place(spring.to)];
  }

  /**
   * Positions of the stops of a spring, m, the direction in which its end moves there, and whether they are rigid.
   * @param {SpringData} spring
   * @returns {Stop[]}
   */
  stops(spring) {
    const [a, b] = this.ends(spring), line = point(i => b[i] - a[i]), length = Math.hypot(...line) || 1;
    /** @type {Point} */
    const along = spring.direction ?? point(i => line[i] / length);
    const now = line[0] * along[0] + line[1] * along[1];
    return spring.stops.map(([at, rigid]) => ({ place: point(i => b[i] + (at - now) * along[i]), along, rigid }));
  }

  /**
   * Rotation of a section, rad.
   * @param {string} unknown the number of its unknown
   * @returns {number}
   */
  turned(unknown) {
    return this.between(this.turns[unknown], 1, 0);
  }

  /**
   * Position of a node, m.
   * @param {number} node
   * @returns {Point}
   */
  place(node) {
    return [this.places[2 * node], this.places[2 * node + 1]];
  }

  /**
   * Positions along the axis of a member, m.
   * @param {number} m
   * @returns {Point[]}
   */
  axis(m) {
    const { nodes, order, pieces } = this.film.members[m];
    /** @type {Point[]} */
    const list = [];
    for (let e = 0; e * order < nodes.length - 1; e++) {
      for (let k = e === 0 ? 0 : 1; k <= pieces; k++) list.push(this.weighted(nodes, e * order, this.weights[m][k]));
    }
    return list;
  }

  /**
   * Sum of the positions of nodes from `first` on, each times its weight: a position or a derivative of it.
   * @param {number[]} nodes
   * @param {number} first index in `nodes`
   * @param {number[]} weights
   * @param {Float64Array} places of all nodes
   * @returns {Point}
   */
  weighted(nodes, first, weights, places = this.places) {
    let x = 0, y = 0;
    for (let l = 0; l < weights.length; l++) {
      x += weights[l] * places[2 * nodes[first + l]];
      y += weights[l] * places[2 * nodes[first + l] + 1];
    }
    return [x, y];
  }

  /**
   * Positions along a face of the guide of a contact, m.
   * @param {Contact} contact
   * @param {number} side 1 for the face on the left of the path, −1 on the right
   * @returns {Point[]}
   */
  face(contact, side) {
    /** @type {Point[]} */
    const list = [];
    for (const { start, length } of contact.path) {
      for (let k = list.length ? 1 : 0; k <= 8; k++) list.push(this.onFace(contact, start + length * k / 8, side));
    }
    return list;
  }

  /**
   * Position on a face of the guide of a contact, m.
   * @param {Contact} contact
   * @param {number} s position along the path, m
   * @param {number} side 1 for the face on the left of the path, −1 on the right, 0 for the path itself
   * @returns {Point}
   */
  onFace(contact, s, side) {
    const { place: [x, y], along: [u, v] } = this.onPath(contact, s), h = side * contact.offset;
    return [x - h * v, y + h * u];
  }

  /**
   * Positions along a part of a surface, m.
   * @param {SurfaceData} part
   * @returns {Point[]}
   */
  surfaceOf({ nodes, order, pieces, height }) {
    /** @type {Point[]} */
    const list = [];
    for (let e = 0; e * order < nodes.length - 1; e++) {
      for (let k = e === 0 ? 0 : 1; k <= pieces; k++) {
        const { value, slope } = lagrange(order, -1 + 2 * k / pieces);
        const [x, y] = this.weighted(nodes, e * order, value), [u, v] = this.weighted(nodes, e * order, slope);
        const size = Math.hypot(u, v) || 1;
        list.push([x - height * v / size, y + height * u / size]);
      }
    }
    return list;
  }

  /**
   * Point k of a contact: the position of its closest point on the guide, m, the force per length on the path there, N/m, and
   * its state (0 open, 1 sticking, 2 slipping).
   * @param {Contact} contact
   * @param {number} k
   * @returns {ContactPoint}
   */
  contactPoint(contact, k) {
    const { points, positions, forces, states } = contact, unit = this.film.pressure_unit;
    const pressure = unit * this.between(forces, 2 * points, 2 * k), friction = unit * this.between(forces, 2 * points, 2 * k + 1);
    const s = this.between(positions, points, k), [u, v] = this.onPath(contact, s).along;
    /** @type {Point} */
    const force = [friction * u - pressure * v, friction * v + pressure * u];
    return { place: this.onFace(contact, s, Math.sign(pressure)), force, state: states[this.frame * points + k] };
  }

  /**
   * Position and unit tangent in the direction of growing s on the path of a slider or a contact; beyond its ends a path goes on
   * straight.
   * @param {Path} path
   * @param {number} s in m
   * @param {Float64Array} places of all nodes
   * @returns {PathPoint}
   */
  onPath({ path, starts, length }, s, places = this.places) {
    const inside = Math.min(Math.max(s, 0), length);
    const element = path[lastAtMost(starts, inside)];
    const xi = 2 * (inside - element.start) / element.length - 1;
    const { value, slope } = lagrange(element.nodes.length - 1, xi);
    const [x, y] = this.weighted(element.nodes, 0, value, places);
    const [u, v] = this.weighted(element.nodes, 0, slope, places);
    const size = Math.hypot(u, v) || 1, beyond = s - inside;
    return { place: [x + beyond * u / size, y + beyond * v / size], along: [u / size, v / size] };
  }

  /**
   * Height of a rough path, m.
   * @param {Slider} slider
   * @param {number} s in m
   * @param {number} larger by which factor it is drawn
   * @returns {number}
   */
  height({ roughness, heights }, s, larger) {
    if (!roughness || !heights) return 0;
    const at = Math.min(Math.max(s / roughness.step, 0), heights.length - 1);
    const k = Math.min(Math.floor(at), heights.length - 2), part = at - k;
    return larger * (heights[k] * (1 - part) + heights[k + 1] * part);
  }

  /**
   * Position on the rough surface of a path, m.
   * @param {Slider} slider
   * @param {number} s in m
   * @param {Float64Array} places of all nodes
   * @param {number} larger by which factor the roughness is drawn
   * @returns {Point}
   */
  surface(slider, s, places = this.places, larger = this.roughness) {
    const { place, along } = this.onPath(slider, s, places), h = this.height(slider, s, larger);
    return [place[0] - h * along[1], place[1] + h * along[0]];
  }

  /**
   * Position where a slider touches its path, m.
   * @param {number} j
   * @returns {Point}
   */
  contact(j) {
    return this.surface(this.sliders[j], this.position(j));
  }

  /**
   * Position of a slider, m: as far from its path as without exaggeration, where it has clearance or has lifted off.
   * @param {number} j
   * @returns {Point}
   */
  placeOfSlider(j) {
    const slider = this.sliders[j], now = this.contact(j), before = this.surface(slider, this.position(j), this.real, 1);
    return point(i => now[i] + this.real[2 * slider.point + i] - before[i]);
  }

  /**
   * Sliding coordinate of a slider, m.
   * @param {number} j
   * @returns {number}
   */
  position(j) {
    return this.between(this.sliders[j].positions, 1, 0);
  }

  /**
   * Force of a slider on its path, N.
   * @param {number} j
   * @returns {Point}
   */
  force(j) {
    return point(i => this.between(this.sliders[j].forces, 2, i));
  }
}
