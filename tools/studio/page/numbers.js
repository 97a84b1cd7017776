/* Sliders of parameters and inputs. */

/** Steps of a slider. */
const PARTS = 200;

/** @type {(value: number) => string} */
const short = value => String(Number(value.toPrecision(6)));

/**
 * Ends of a slider: those of the number, or some that are like its value.
 * @param {ModelNumber} number
 * @returns {[number, number]}
 */
function ends({ value, range: [least, most], is_truth }) {
  if (is_truth) return [0, 1];
  const size = Math.abs(value) || 1;
  // Limits that say no more than "above 0" or "some number" are no ends of a slider.
  const low = least !== null && value - least <= 4 * size ? least : value > 0 ? 0 : value - 2 * size;
  const high = most !== null && most - value <= 4 * size ? most : value < 0 ? 0 : value + size;
  return [low, high];
}

export class Numbers {
  /**
   * @param {HTMLElement} parent
   * @param {(name: string, value: number, is_input: boolean) => void} changed
   */
  constructor(parent, changed) {
    this.parent = parent;
    this.changed = changed;
    /** Values that differ from the text. @type {Map<string, number>} */
    this.set = new Map();
    /** What is shown, as text: the same numbers keep their sliders. */
    this.shown = "";
  }

  /** @returns {Value[]} */
  get values() {
    return [...this.set];
  }

  /**
   * Shows the numbers of a model; values of numbers that are no more, or are as in the text, are forgotten.
   * @param {ModelNumber[]} numbers
   */
  show(numbers) {
    for (const name of [...this.set.keys()]) if (!numbers.some(number => number.name === name)) this.set.delete(name);
    const shown = JSON.stringify(numbers);
    if (shown === this.shown) return;
    this.shown = shown;
    this.parent.replaceChildren();
    for (const [title, list] of /** @type {[string, ModelNumber[]][]} */ ([
      ["Inputs", numbers.filter(number => number.is_input)], ["Parameters", numbers.filter(number => !number.is_input)],
    ])) {
      if (list.length === 0) continue;
      const group = document.createElement("fieldset"), legend = document.createElement("legend");
      legend.textContent = title;
      group.append(legend, ...list.map(number => this.row(number)));
      this.parent.append(group);
    }
  }

  /** @param {ModelNumber} number */
  row(number) {
    const row = document.createElement("label"), name = document.createElement("span"), unit = document.createElement("small");
    const slider = document.createElement("input"), field = document.createElement("input");
    const [low, high] = ends(number), value = this.set.get(number.name) ?? number.value;
    row.className = "number";
    row.title = number.description;
    // The section says nothing that the rest of the name does not.
    name.textContent = number.name.replace(/^[a-z_]+\./, "");
    unit.textContent = number.unit;
    slider.type = "range";
    slider.min = String(low);
    slider.max = String(high);
    slider.step = number.is_truth || number.is_whole ? "1" : String((high - low) / PARTS || "any");
    slider.setAttribute("aria-label", number.name);
    field.type = "number";
    field.step = "any";
    field.setAttribute("aria-label", number.name + " as a number");
    slider.value = String(value);
    field.value = short(value);
    const take = (/** @type {number} */ next) => {
      if (!Number.isFinite(next)) return;
      if (next === number.value) this.set.delete(number.name); else this.set.set(number.name, next);
      row.classList.toggle("changed", next !== number.value);
      this.changed(number.name, next, number.is_input);
    };
    row.classList.toggle("changed", value !== number.value);
    slider.addEventListener("input", () => { field.value = short(Number(slider.value)); take(Number(field.value)); });
    field.addEventListener("change", () => { slider.value = field.value; take(Number(field.value)); });
    // Back to the value of the text.
    name.addEventListener("dblclick", () => { slider.value = String(number.value); field.value = short(number.value); take(number.value); });
    row.append(name, field, unit, slider);
    return row;
  }
}
