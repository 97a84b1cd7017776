/* Plane bodies on a canvas below the picture: coloured areas, sides of elements, outlines. */

/** Red, green and blue from the least to the largest value: dark to light, also without colours. */
const COLOURS = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"]
  .map(text => [0, 2, 4].map(k => parseInt(text.slice(k, k + 2), 16)));

/** Colours of 256 equal parts of the scale as pixels of an image. */
const SHADES = Uint32Array.from({ length: 256 }, (_, k) => {
  const at = k / 255 * (COLOURS.length - 1), i = Math.min(Math.floor(at), COLOURS.length - 2);
  const [r, g, b] = [0, 1, 2].map(c => Math.round(COLOURS[i][c] + (at - i) * (COLOURS[i + 1][c] - COLOURS[i][c])));
  return new Uint32Array(Uint8Array.of(r, g, b, 255).buffer)[0];
});

/** Part of the values of a run that may lie beyond the colours at first. */
const RARE = 0.005;

/** @typedef {Solids["list"][number]} SolidBody */

class Solids {
  /**
   * @param {Mechanism} mechanism
   * @param {HTMLCanvasElement} canvas
   */
  constructor(mechanism, canvas) {
    this.mechanism = mechanism;
    this.canvas = canvas;
    this.context = contextOf(canvas);
    const { solids, stress } = mechanism.film;
    /** Stress of all nodes, frame by frame, in its unit; nothing where all bodies are rigid. */
    this.stress = stress ? decode(stress.values, Uint16Array) : new Uint16Array();
    /** Number of nodes of all bodies. */
    this.width = solids.reduce((sum, solid) => sum + solid.nodes.length, 0);
    let first = 0;
    this.list = solids.map(solid => {
      const sides = [];
      for (let k = 0; k < solid.pieces; k++) sides.push(lagrange(solid.order, -1 + 2 * k / solid.pieces).value);
      const own = { ...solid, sides, first };
      first += solid.nodes.length;
      return own;
    });
    /** Largest stress of the run, Pa, and the part of it at which the colours end. */
    this.largest = stress ? stress.unit * this.stress.reduce((most, value) => Math.max(most, value), 0) : 0;
    this.part = this.usualPart();
  }

  /**
   * The part of the largest stress that is rarely exceeded: a corner shall not take all colours.
   * @returns {number}
   */
  usualPart() {
    if (!(this.largest > 0)) return 1;
    const counts = new Uint32Array(65536);
    for (const value of this.stress) counts[value]++;
    let left = this.stress.length * RARE, value = 65535;
    for (; value > 1 && left >= counts[value]; value--) left -= counts[value];
    return Math.max(value / 65535, 1e-3);
  }

  /**
   * Draws all bodies.
   * @param {Scale & { width: number, height: number, coloured: boolean, elements: boolean }} view size of the canvas in px, and
   *   whether stresses are coloured and sides of elements are drawn
   */
  draw({ width, height, scale, x, y, coloured, elements }) {
    const ratio = Math.min(devicePixelRatio || 1, 2), { canvas, context } = this;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
    const style = getComputedStyle(canvas);
    const device = { scale: scale * ratio, x: x * ratio, y: y * ratio };
    if (coloured) {
      const image = context.createImageData(canvas.width, canvas.height);
      this.list.forEach(solid => this.colour(solid, device, image));
      context.putImageData(image, 0, 0);
    }
    for (const solid of this.list) {
      const outline = new Path2D();
      for (const nodes of solid.loops) { this.chain(outline, solid, nodes, device); outline.closePath(); }
      if (!coloured) {
        context.fillStyle = style.getPropertyValue("--body");
        context.fill(outline, "evenodd");
      }
      if (elements) {
        const lines = new Path2D();
        for (const nodes of solid.inner) this.chain(lines, solid, nodes, device);
        context.strokeStyle = style.getPropertyValue("--ground");
        context.lineWidth = 0.4 * ratio;
        context.stroke(lines);
      }
      context.strokeStyle = style.getPropertyValue("--member");
      context.lineWidth = 1.5 * ratio;
      context.stroke(outline);
    }
  }

  /**
   * Adds a chain of sides to a path.
   * @param {Path2D} path
   * @param {SolidBody} solid
   * @param {number[]} nodes of its mesh
   * @param {Scale} scale
   */
  chain(path, solid, nodes, { scale, x, y }) {
    const { places } = this.mechanism, { order, sides } = solid, last = nodes.length - 1;
    for (let first = 0; first < last; first += order) {
      sides.forEach((weights, k) => {
        let u = 0, v = 0;
        for (let l = 0; l <= order; l++) {
          const node = solid.nodes[nodes[first + l]];
          u += weights[l] * places[2 * node];
          v += weights[l] * places[2 * node + 1];
        }
        if (first === 0 && k === 0) path.moveTo(x + scale * u, y - scale * v);
        else path.lineTo(x + scale * u, y - scale * v);
      });
    }
    const end = solid.nodes[nodes[last]];
    path.lineTo(x + scale * places[2 * end], y - scale * places[2 * end + 1]);
  }

  /**
   * Fills the triangles of a body with the colours of its stress.
   * @param {SolidBody} solid
   * @param {Scale} scale in pixels of the image
   * @param {ImageData} image
   */
  colour(solid, { scale, x, y }, image) {
    const { mechanism } = this, { places } = mechanism, { weights, parts, triangles } = solid;
    const pixels = new Uint32Array(image.data.buffer), count = weights[0].length;
    const shade = 256 / (65535 * this.part);
    const stress = solid.nodes.map((_, k) => shade * mechanism.between(this.stress, this.width, solid.first + k));
    const [u, v, w] = [0, 0, 0].map(() => new Float64Array(weights.length));
    for (let t = 0; t < triangles.length; t += count) {
      weights.forEach((weight, k) => {
        let a = 0, b = 0, c = 0;
        for (let l = 0; l < count; l++) {
          const own = triangles[t + l], node = solid.nodes[own];
          a += weight[l] * places[2 * node];
          b += weight[l] * places[2 * node + 1];
          c += weight[l] * stress[own];
        }
        u[k] = x + scale * a; v[k] = y - scale * b; w[k] = c;
      });
      for (const [i, j, k] of parts) fill(pixels, image, [u[i], v[i], w[i]], [u[j], v[j], w[j]], [u[k], v[k], w[k]]);
    }
  }
}

/**
 * Fills a straight triangle.
 * @param {Uint32Array} pixels of the image
 * @param {ImageData} image
 * @param {Corner} a
 * @param {Corner} b
 * @param {Corner} c
 */
function fill(pixels, { width, height }, [ax, ay, a], [bx, by, b], [cx, cy, c]) {
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (!area) return;
  const left = Math.max(Math.ceil(Math.min(ax, bx, cx) - 0.5), 0), right = Math.min(Math.max(ax, bx, cx) - 0.5, width - 1);
  const top = Math.max(Math.ceil(Math.min(ay, by, cy) - 0.5), 0), bottom = Math.min(Math.max(ay, by, cy) - 0.5, height - 1);
  const du = (cy - ay) / area, dv = (ay - by) / area, edge = -1e-9;
  for (let row = top; row <= bottom; row++) {
    const py = row + 0.5 - ay, px = left + 0.5 - ax;
    let p = px * du - py * (cx - ax) / area, q = px * dv + py * (bx - ax) / area;
    for (let column = left; column <= right; column++, p += du, q += dv) {
      if (p < edge || q < edge || p + q > 1 - edge) continue;
      const value = a + p * (b - a) + q * (c - a);
      pixels[row * width + column] = SHADES[value > 0 ? Math.min(value | 0, 255) : 0];
    }
  }
}
