/* Pages of the documentation: pictures of bundled models move in place, and whole models open in the studio that lies beside the site. */

import { hashOf } from "./share.js";

/** The folder of the studio. */
const studio = new URL(".", import.meta.url);

/**
 * A link to the studio.
 * @param {string} address what follows that of the studio
 * @param {string} [words]
 * @returns {HTMLAnchorElement}
 */
function link(address, words = "Open in the studio") {
  const anchor = document.createElement("a");
  anchor.href = new URL(address, studio).href;
  anchor.textContent = words;
  return anchor;
}

/**
 * Lets the picture of a bundled model move.
 * @param {HTMLImageElement} picture
 * @param {string} name of the model
 */
function enliven(picture, name) {
  const line = document.createElement("p"), button = document.createElement("button");
  button.type = "button";
  button.textContent = "Set in motion";
  button.dataset.model = name;
  button.addEventListener("click", () => {
    const frame = document.createElement("iframe");
    frame.title = `${picture.alt} in motion`;
    frame.src = new URL(`?model=${name}&live`, studio).href;
    frame.style.cssText = "display: block; width: 100%; height: min(36rem, 85vh); border: 1px solid #8884; border-radius: 8px";
    picture.replaceWith(frame);
    button.remove();
  });
  line.append(button, " ", link(`?model=${name}`));
  (picture.closest("p, figure") ?? picture).after(line);
}

// Browsers run no modules of files.
if (location.protocol.startsWith("http")) {
  for (const section of document.querySelectorAll("article section")) {
    const anchor = section.querySelector(":scope > p a[href*='resources/models/']"), picture = section.querySelector(":scope > p img, :scope > img");
    const name = /models\/(\w+)\.toml/.exec(anchor?.getAttribute("href") ?? "")?.[1];
    if (name && picture instanceof HTMLImageElement) enliven(picture, name);
  }
  if (location.pathname.endsWith("/studio.html")) document.querySelector("article h1")?.after(link("", "Open the studio"));
  for (const block of document.querySelectorAll("article pre")) {
    const text = block.textContent ?? "";
    if (/^name = /m.test(text) && /^\[points\]/m.test(text)) hashOf(text).then(hash => (block.closest("[class*=highlight-]") ?? block).after(link(hash)));
  }
}
