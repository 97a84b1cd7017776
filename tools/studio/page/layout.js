/* The list of bundled models, and the bar between text and mechanism. */

/** @type {<T extends HTMLElement>(id: string) => T} */
const byId = id => /** @type {any} */ (document.getElementById(id));

/**
 * Shows the bundled models.
 * @param {() => Promise<Listed[]>} listed
 * @param {(name: string) => void} choose
 */
export async function examples(listed, choose) {
  /** @type {HTMLDialogElement} */
  const dialog = byId("examples");
  /** @type {HTMLInputElement} */
  const filter = byId("filter");
  dialog.showModal();
  if (byId("list").childElementCount > 0) return;
  byId("list").replaceChildren(...(await listed()).map(({ name, description }) => {
    const item = document.createElement("li"), button = document.createElement("button"), text = document.createElement("small");
    button.type = "button";
    text.textContent = description;
    button.append(name.replaceAll("_", " "), text);
    button.addEventListener("click", () => { dialog.close(); choose(name); });
    item.append(button);
    return item;
  }));
  filter.addEventListener("input", () => {
    for (const item of byId("list").children) {
      /** @type {HTMLElement} */ (item).hidden = !item.textContent?.toLowerCase().includes(filter.value.toLowerCase());
    }
  });
}

/** Lets the user choose how wide the editor is. */
export function split() {
  const bar = byId("split");
  /** @param {number} share */
  const set = share => document.body.style.setProperty("--left", `${Math.min(Math.max(share, 0.15), 0.8) * 100}%`);
  bar.addEventListener("pointerdown", event => bar.setPointerCapture(event.pointerId));
  bar.addEventListener("pointermove", event => { if (bar.hasPointerCapture(event.pointerId)) set(event.clientX / innerWidth); });
  bar.addEventListener("keydown", event => {
    const by = { ArrowLeft: -0.03, ArrowRight: 0.03 }[event.key];
    if (by) set(byId("text").clientWidth / innerWidth + by);
  });
}
