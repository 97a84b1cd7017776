/* The elements of page.html by their ids, for the type checker alone. */

interface Elements {
  /* The picture and the groups in it. */
  stage: HTMLElement;
  view: HTMLDivElement;
  solids: HTMLCanvasElement;
  picture: SVGSVGElement;
  traces: SVGGElement;
  members: SVGGElement;
  surfaces: SVGGElement;
  contacts: SVGGElement;
  springs: SVGGElement;
  symbols: SVGGElement;
  pressures: SVGGElement;
  forces: SVGGElement;
  names: SVGGElement;
  scale: SVGGElement;
  colours: SVGGElement;

  /* The controls of the clock. */
  play: HTMLButtonElement;
  scrub: HTMLInputElement;
  time: HTMLOutputElement;
  speed: HTMLSelectElement;

  /* The controls of the picture. */
  display: HTMLDetailsElement;
  "deformation-field": HTMLLabelElement;
  "deformation-shown": HTMLOutputElement;
  deformation: HTMLInputElement;
  "roughness-field": HTMLLabelElement;
  "roughness-shown": HTMLOutputElement;
  roughness: HTMLInputElement;
  "force-field": HTMLLabelElement;
  "force-shown": HTMLOutputElement;
  force: HTMLInputElement;
  "colour-field": HTMLLabelElement;
  colour: HTMLSelectElement;
  "range-field": HTMLLabelElement;
  "range-shown": HTMLOutputElement;
  range: HTMLInputElement;
  focus: HTMLSelectElement;
  "with-names": HTMLInputElement;
  "with-heights": HTMLInputElement;
  "elements-field": HTMLLabelElement;
  "with-elements": HTMLInputElement;
  tracks: HTMLFieldSetElement;
  note: HTMLParagraphElement;

  /* The curves. */
  main: HTMLElement;
  curves: HTMLElement;
  "choice-summary": HTMLElement;
  "choice-list": HTMLDivElement;
  panels: HTMLDivElement;
  axes: HTMLDataListElement;

  /** The data of the page as JSON. */
  data: HTMLScriptElement;
}
