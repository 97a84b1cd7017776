/* Points that are dragged in the picture, in the page of a run at its start. */

/** So near a point a pointer takes it, px. */
const NEAR = 11;
/** Digits of a dragged coordinate, relative to what a pixel is. */
const FINER = 10;

/**
 * Lets the user drag points of a picture.
 * @param {Document} inside the page of a run
 * @param {() => { points: string[], initial: number[] }} film names of the points, and coordinates of the nodes, x and y in turn, m
 * @param {(name: string) => boolean} free whether a point may be dragged
 * @param {(name: string, x: number, y: number) => void} moved
 */
export function drag(inside, film, free, moved) {
  const picture = /** @type {SVGSVGElement | null} */ (inside.querySelector("svg#picture"));
  const traces = /** @type {SVGGElement | null} */ (inside.querySelector("#traces"));
  const scrub = /** @type {HTMLInputElement | null} */ (inside.querySelector("#scrub"));
  if (!picture || !traces || !scrub) return;
  /** The point that is held, and the scale and origin of its world when it was taken: the picture fits itself to what is drawn. */
  let held = "", grip = /** @type {DOMMatrix | null} */ (null);

  /** Pixels of the world: its scale and its origin. */
  const world = () => traces.transform.baseVal.consolidate()?.matrix ?? null;
  /** @type {(event: PointerEvent) => [number, number]} */
  const at = event => { const box = picture.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };

  /**
   * The point under the pointer; what has moved is no initial position.
   * @param {PointerEvent} event
   * @returns {string | undefined}
   */
  function under(event) {
    const matrix = world(), [x, y] = at(event), { points, initial } = film();
    if (!matrix || Number(scrub?.value) > 0) return undefined;
    const distance = (/** @type {number} */ k) =>
      Math.hypot(matrix.a * initial[2 * k] + matrix.e - x, matrix.d * initial[2 * k + 1] + matrix.f - y);
    const near = points.map((name, k) => ({ name, off: distance(k) })).filter(({ name, off }) => off < NEAR && free(name));
    return near.sort((a, b) => a.off - b.off)[0]?.name;
  }

  picture.addEventListener("pointerdown", event => {
    held = under(event) ?? "";
    const matrix = world();
    // The page's own changes with the next drawing.
    grip = matrix && DOMMatrix.fromMatrix(matrix);
    if (!held) return;
    // The page would move the picture.
    event.stopImmediatePropagation();
    picture.setPointerCapture(event.pointerId);
  }, { capture: true });
  picture.addEventListener("pointermove", event => {
    if (!held) { picture.style.cursor = under(event) ? "move" : ""; return; }
    event.stopImmediatePropagation();
    const matrix = grip;
    if (!matrix) return;
    const digits = 10 ** Math.ceil(Math.log10(Math.abs(matrix.a) * FINER)), [x, y] = at(event);
    const round = (/** @type {number} */ value) => Math.round(value * digits) / digits;
    moved(held, round((x - matrix.e) / matrix.a), round((y - matrix.f) / matrix.d));
  }, { capture: true });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) picture.addEventListener(end, () => { held = ""; });
}

/**
 * Whether a text gives a point by two numbers: expressions stay what they are.
 * @param {string} text
 * @param {string} name
 */
export function isGiven(text, name) {
  const section = /^\[points\][^\n]*\n((?:(?!\[).*(?:\n|$))*)/m.exec(text);
  return !!section && new RegExp(`^\\s*${name}\\s*=\\s*\\[\\s*[-+.\\d][^"',]*,\\s*[-+.\\d][^"',]*\\]`, "m").test(section[1]);
}
