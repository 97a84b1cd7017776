/* The one time of the page. Picture and curves listen to it; buttons, keys and drags set it. */

/**
 * An element of page.html.
 * @template {keyof Elements} Id
 * @param {Id} id
 * @returns {Elements[Id]}
 */
const byId = id => /** @type {any} */ (document.getElementById(id));

/** @type {Data} */
let data = JSON.parse(byId("data").text);

/** What is done when other numbers of the same mechanism take the place of the present ones; called with its symbols. @type {((symbols: string) => void)[]} */
const renewals = [];

/** Names of what changes while a run goes on, or when a number of the model changes. */
const CHANGING = new Set(["step", "last_row", "last_time", "steps", "values", "rows", "initial", "centre", "poses", "positions", "forces", "states",
  "turns", "pressure_unit", "heights", "largest", "unit", "moving", "deformations", "exaggeration", "start", "length"]);

/**
 * What stays of data during a run, as text.
 * @param {Data} of
 * @returns {string}
 */
const lasting = of => JSON.stringify(of, (key, value) => CHANGING.has(key) ? undefined : value);

/**
 * Shows other numbers of the same mechanism in the place of the present ones, as those of a run that goes on. A clock at its end stays
 * there.
 * @param {Data} next
 * @param {string} symbols as SVG
 * @returns {boolean} whether it is the same mechanism; nothing changes otherwise
 */
function renew(next, symbols) {
  if (lasting(next) !== lasting(data)) return false;
  const stands = !clock.playing && clock.time >= clock.end;
  data = next;
  clock.end = data.curves.last_time;
  clock.time = stands ? clock.end : Math.min(clock.time, clock.end);
  for (const renewal of renewals) renewal(symbols);
  clock.set(clock.time);
  return true;
}

/**
 * The buttons of page.html with an attribute `data-NAME`.
 * @param {string} name
 * @returns {NodeListOf<HTMLButtonElement>}
 */
const buttonsWith = name => document.querySelectorAll(`button[data-${name}]`);

/**
 * What draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
const contextOf = canvas => /** @type {any} */ (canvas.getContext("2d"));

/**
 * Time of a row of the results, s.
 * @param {number} row
 * @returns {number}
 */
const timeOf = row => row === data.curves.last_row ? data.curves.last_time : row * data.curves.step;

/**
 * A number with six digits.
 * @param {number} value
 * @returns {string}
 */
const show = value => Number(value.toPrecision(6)).toString();

/**
 * 1, 2 or 5 times a power of ten, at most `value`.
 * @param {number} value
 * @returns {number}
 */
function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map(step => step * power).find(step => step <= value * (1 + 1e-9)) ?? power;
}

/**
 * Index of the last of growing values that is at most `value`; 0 if none is.
 * @param {number[]} values
 * @param {number} value
 * @returns {number}
 */
function lastAtMost(values, value) {
  let low = 0, high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= value) low = middle; else high = middle - 1;
  }
  return low;
}

const clock = {
  /** s. */
  time: 0,
  /** Time of the last row, s. */
  end: data.curves.last_time,
  playing: false,
  /** Seconds of the run for a second of watching. */
  speed: 1,
  /** Called whenever the time changes, and when playing begins or ends. @type {(() => void)[]} */
  listeners: [],

  /**
   * Goes to a time of the run.
   * @param {number} time in s
   */
  set(time) {
    this.time = Math.min(Math.max(time, 0), this.end);
    for (const listener of this.listeners) listener();
  },

  /**
   * Goes to the time that the reader chooses, and stops playing.
   * @param {number} time in s
   */
  scrub(time) {
    this.pause();
    this.set(time);
  },

  /** Plays from the present time, or from the begin if that is the end. */
  play() {
    if (this.playing) return;
    this.playing = true;
    if (this.time >= this.end) this.set(0);
    /** Time of the previous picture of the browser, ms. @type {number | null} */
    let before = null;
    /** @param {number} now in ms */
    const tick = now => {
      if (!this.playing) return;
      if (before !== null) this.set(this.time + this.speed * (now - before) / 1000);
      before = now;
      if (this.time >= this.end) this.pause(); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    for (const listener of this.listeners) listener();
  },

  pause() {
    if (!this.playing) return;
    this.playing = false;
    for (const listener of this.listeners) listener();
  },
};
