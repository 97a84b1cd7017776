/* Which part of the world is where in the picture. */

/** Room around the mechanism for symbols, px. */
const MARGIN = 64;
/** Room below for the scale and the buttons, px. */
const BOTTOM = 40;
/** Length of the longest arrow, px, and its largest part of the picture. */
const ARROW = 70, MOST_ARROW = 0.3;

/** Symbols are smaller where there is less room. */
const symbolScale = () => innerWidth < 700 ? 0.62 : 1;

/** A box without anything in it. @returns {Box} */
const emptyBox = () => [Infinity, Infinity, -Infinity, -Infinity];

/**
 * Enlarges a box by a point, m.
 * @param {Box} box
 * @param {number} x
 * @param {number} y
 */
function grow(box, x, y) {
  box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y);
  box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
}

/** Diagonal of a box, m. @type {(box: Box) => number} */
const sizeOf = box => Math.hypot(box[2] - box[0], box[3] - box[1]);

/**
 * The largest of the vectors whose components are given in turn.
 * @param {ArrayLike<number>} components
 * @returns {number}
 */
function longest(components) {
  let most = 0;
  for (let k = 0; k < components.length; k += 2) most = Math.max(most, Math.hypot(components[k], components[k + 1]));
  return most;
}

class View {
  /**
   * @param {Mechanism} mechanism
   * @param {SVGSVGElement} picture
   */
  constructor(mechanism, picture) {
    this.mechanism = mechanism;
    this.picture = picture;
    /** Size of the picture, px. */
    this.width = 0;
    this.height = 0;
    /** Pixels per metre. */
    this.scale = 1;
    /** What is in the middle of the picture, m. */
    this.x = 0;
    this.y = 0;
    /** Factor by which the reader enlarges the picture. */
    this.zoom = 1;
    /** Displacement of the picture by the reader, px. @type {Point} */
    this.pan = [0, 0];
    /** What is in the middle: "all", "moving", or the index of a point. */
    this.focus = "all";
    /** Largest force of a slider in the run, N. */
    this.largestForce = 0;
    /** Largest force per length of a surface in the run, N/m. */
    this.largestPressure = 0;
    this.measure();
    this.world = this.survey();
  }

  /** Finds the largest forces. */
  measure() {
    const { mechanism } = this;
    this.largestForce = Math.max(0, ...mechanism.sliders.map(({ forces }) => longest(forces)));
    this.largestPressure = Math.max(0, ...mechanism.contacts.map(({ forces }) => mechanism.film.pressure_unit * longest(forces)));
  }

  /** What the picture must have room for in the whole run, with deformations as large as they are drawn. */
  survey() {
    return { ...this.extents(), forces: this.forces() };
  }

  /**
   * Smallest boxes around all positions of the run and around those that move.
   * @returns {Extents}
   */
  extents() {
    const { mechanism } = this, { film } = mechanism, all = emptyBox(), moving = emptyBox();
    const count = film.body.length, boxes = Array.from({ length: count }, emptyBox);
    const every = Math.max(1, Math.floor(mechanism.times.length / 100));
    for (let f = 0; f < mechanism.times.length; f += every) {
      mechanism.set(mechanism.times[f]);
      for (let n = 0; n < count; n++) grow(boxes[n], ...mechanism.place(n));
    }
    mechanism.set(clock.time);
    for (const box of boxes) { grow(all, box[0], box[1]); grow(all, box[2], box[3]); }
    const size = sizeOf(all);
    boxes.forEach((box, n) => {
      if (sizeOf(box) < 1e-3 * size) return;
      grow(moving, box[0], box[1]); grow(moving, box[2], box[3]);
      // Rigid members and paths at the node show along what it moves.
      film.members.filter(m => m.height === null && m.nodes.includes(n)).flatMap(m => m.nodes)
        .concat(film.sliders.filter(s => s.point === n).flatMap(s => s.path).flatMap(e => e.nodes))
        .forEach(other => grow(moving, ...mechanism.place(other)));
    });
    return { all, moving: moving[0] > moving[2] ? all : moving };
  }

  /**
   * The larger forces of sliders in the run.
   * @returns {SliderForce[]}
   */
  forces() {
    const { mechanism, largestForce } = this;
    /** @type {SliderForce[]} */
    const list = [];
    for (const time of largestForce > 0 ? mechanism.times : []) {
      mechanism.set(time);
      mechanism.sliders.forEach((_, j) => {
        const [u, v] = mechanism.force(j).map(f => f / largestForce);
        if (Math.hypot(u, v) > 0.05) list.push({ place: mechanism.contact(j), u, v });
      });
    }
    mechanism.set(clock.time);
    return list;
  }

  /** Whether a box is in the middle of the picture, and not a point. */
  get showsBox() {
    return this.focus === "all" || this.focus === "moving";
  }

  /**
   * Height of a box by its width.
   * @param {Box} box
   * @returns {number}
   */
  aspectOf(box) {
    return (box[3] - box[1]) / Math.max(box[2] - box[0], 1e-9 * sizeOf(this.world.all), 1e-30);
  }

  /**
   * Pixels of a position.
   * @param {Point} position in m
   * @returns {Point}
   */
  toPixel([x, y]) {
    return [
      this.width / 2 + this.scale * (x - this.x) + this.pan[0],
      (this.height - BOTTOM) / 2 - this.scale * (y - this.y) + this.pan[1],
    ];
  }

  /** Fits the picture into the page and the mechanism into the picture. */
  fit() {
    const { world, picture } = this, box = this.focus === "moving" ? world.moving : world.all;
    const room = symbolScale() * MARGIN;
    this.width = picture.clientWidth || 300;
    // Around a point there is something to see on all sides.
    const aspect = this.showsBox ? this.aspectOf(box) : 0.6;
    const wanted = Math.max(this.width - 2 * room, 50) * aspect + 2 * room + BOTTOM;
    const tallest = innerWidth < 700 ? 0.42 * innerHeight : 0.62 * innerHeight;
    this.height = Math.round(Math.min(Math.max(wanted, 170), Math.max(tallest, 170)));
    picture.setAttribute("height", String(this.height));
    picture.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const [wide, high] = [this.width, this.height - BOTTOM], size = [box[2] - box[0], box[3] - box[1]];
    // Left, above, right, below. How far arrows stick out follows from the scale, and that from the room for them.
    let rooms = [room, room, room, room], whole = 100;
    for (let pass = 0; pass < 4; pass++) {
      const scales = [(wide - rooms[0] - rooms[2]) / size[0], (high - rooms[1] - rooms[3]) / size[1]];
      const least = Math.min(...scales.filter(scale => Number.isFinite(scale) && scale > 0));
      if (Number.isFinite(least)) whole = least;
      if (this.showsBox) rooms = this.roomsOfArrows(box, whole, rooms);
    }
    this.scale = whole * this.zoom;
    this.x = (box[0] + box[2]) / 2 - (rooms[0] - rooms[2]) / 2 / whole;
    this.y = (box[1] + box[3]) / 2 + (rooms[1] - rooms[3]) / 2 / whole;
    this.follow();
  }

  /**
   * Room around a box in which every arrow of the run ends, as far as the picture has it: left, above, right, below, px.
   * @param {Box} box
   * @param {number} scale pixels per metre
   * @param {number[]} rooms at least
   * @returns {number[]}
   */
  roomsOfArrows(box, scale, rooms) {
    const length = this.arrowLength(), needed = [...rooms], near = 0.05 * sizeOf(box);
    for (const { place: [x, y], u, v } of this.world.forces) {
      // An arrow at a slider that is not looked at may leave the picture with it.
      if (x < box[0] - near || x > box[2] + near || y < box[1] - near || y > box[3] + near) continue;
      const tail = [scale * (x - box[0]) - u * length, scale * (box[3] - y) + v * length];
      const out = [-tail[0], -tail[1], tail[0] - scale * (box[2] - box[0]), tail[1] - scale * (box[3] - box[1])];
      out.forEach((px, side) => { needed[side] = Math.max(needed[side], px + 6); });
    }
    return needed;
  }

  /**
   * Length of the longest arrow as it is drawn, px.
   * @returns {number}
   */
  arrowLength() {
    return Math.min(
      ARROW * symbolScale() * Number(byId("force").value), MOST_ARROW * Math.min(this.width, this.height - BOTTOM));
  }

  /** Keeps the point of the focus in the middle. */
  follow() {
    if (!this.showsBox) [this.x, this.y] = this.mechanism.place(Number(this.focus));
  }

  /**
   * Enlarges about a position of the picture, which stays where it is.
   * @param {number} factor 0 for the whole mechanism
   * @param {Point} [at] in px; the middle of the picture unless given
   */
  enlarge(factor, at = [this.width / 2, (this.height - BOTTOM) / 2]) {
    const before = this.zoom, size = [this.width, this.height - BOTTOM];
    this.zoom = factor === 0 ? 1 : Math.min(Math.max(before * factor, 0.2), 1e4);
    const real = this.zoom / before;
    this.pan = factor === 0 ? [0, 0] : point(i => {
      const middle = size[i] / 2;
      return at[i] - middle - (at[i] - middle - this.pan[i]) * real;
    });
    this.fit();
  }
}
