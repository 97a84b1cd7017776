/* The one time of the page. Picture and curves listen to it; buttons, keys and drags set it. */

const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

/** Time of a row of the results, s. */
const timeOf = row => row === data.curves.last_row ? data.curves.last_time : row * data.curves.step;

/** A number with six digits. */
const show = value => Number(value.toPrecision(6)).toString();
/** 1, 2 or 5 times a power of ten, at most `value`. */
function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map(step => step * power).find(step => step <= value * (1 + 1e-9));
}
/** Index of the last of growing values that is at most `value`; 0 if none is. */
function lastAtMost(values, value) {
  let low = 0, high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= value) low = middle; else high = middle - 1;
  }
  return low;
}

const clock = {
  time: 0,
  end: data.curves.last_time,
  playing: false,
  /** Seconds of the run for a second of watching. */
  speed: 1,
  listeners: [],

  set(time) {
    this.time = Math.min(Math.max(time, 0), this.end);
    for (const listener of this.listeners) listener();
  },
  /** As when a hand moves it: what plays stops. */
  scrub(time) {
    this.pause();
    this.set(time);
  },
  play() {
    if (this.playing) return;
    this.playing = true;
    if (this.time >= this.end) this.set(0);
    let before = null;
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
