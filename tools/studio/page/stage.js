/* The picture and the curves: the page that `coulisse run --html` writes, in a frame. A new page is loaded out of sight and then shown. */

/** What a page looks like inside the studio. */
const INSIDE = "body > header { display: none; } body { max-width: none; padding: .6rem; } h1 { font-size: 1rem; }";

export class Stage {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.parent = parent;
    /** The page that is shown. @type {HTMLIFrameElement | null} */
    this.frame = null;
    /** Whether it is that of a run, whose numbers can be renewed. */
    this.renewable = false;
    /** The numbers that are shown. @type {any} */
    this.data = null;
    /** The page as it was made. */
    this.html = "";
  }

  /** @returns {PageWindow | null} */
  get window() {
    return /** @type {PageWindow | null} */ (this.frame?.contentWindow ?? null);
  }

  /**
   * Shows the numbers of a run in the page of the same mechanism.
   * @param {Answer} shown
   * @returns {boolean} whether there is one
   */
  renew({ answer, bytes }) {
    if (!this.renewable || !this.window?.renew) return false;
    const data = JSON.parse(new TextDecoder().decode(bytes));
    if (!this.window.renew(data, answer.symbols)) return false;
    this.data = data;
    return true;
  }

  /**
   * Shows a page.
   * @param {string} html
   * @param {string} title
   * @param {boolean} renewable
   */
  async show(html, title, renewable) {
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.className = "waiting";
    frame.srcdoc = html;
    const loaded = new Promise(resolve => { frame.onload = resolve; });
    this.parent.append(frame);
    await loaded;
    const style = frame.contentDocument?.createElement("style");
    if (style) { style.textContent = INSIDE; frame.contentDocument?.head.append(style); }
    // The room is for the curves.
    const display = frame.contentDocument?.getElementById("display");
    if (display) display.removeAttribute("open");
    this.frame?.remove();
    frame.className = "";
    this.frame = frame;
    this.html = html;
    this.renewable = renewable;
    this.data = JSON.parse(frame.contentDocument?.getElementById("data")?.textContent || "null");
  }

  /**
   * The picture as PNG.
   * @returns {Promise<Blob | null>}
   */
  async png() {
    const inside = this.frame?.contentDocument, picture = inside?.querySelector("svg#picture") ?? inside?.querySelector("svg");
    if (!inside || !picture) return null;
    const { width, height } = picture.getBoundingClientRect(), ratio = 2;
    const copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
    copy.setAttribute("width", String(width));
    copy.setAttribute("height", String(height));
    const style = document.createElementNS(copy.namespaceURI, "style");
    style.textContent = [...inside.querySelectorAll("style")].map(own => own.textContent).join("\n");
    copy.prepend(style);
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
    await image.decode();
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    if (!context) return null;
    context.fillStyle = getComputedStyle(inside.documentElement).getPropertyValue("--card") || "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    const bodies = /** @type {HTMLCanvasElement | null} */ (inside.querySelector("canvas#solids"));
    if (bodies?.width) context.drawImage(bodies, 0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise(resolve => canvas.toBlob(resolve, "image/png"));
  }
}
