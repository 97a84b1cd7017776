/* Types that the scripts of the page use among themselves, for the type checker alone. */

/** Lagrange polynomials at a place. */
interface Polynomials {
  value: number[];
  /** Derivatives by ξ. */
  slope: number[];
}

/** A path with what is found from its elements. */
interface Path {
  path: PathData[];
  /** Arc lengths at the beginnings of its elements, m. */
  starts: number[];
  /** m. */
  length: number;
}

/** A point of a path. */
interface PathPoint {
  /** Position, m. */
  place: Point;
  /** Unit tangent in the direction of growing s. */
  along: Point;
}

/** A stop of a spring. */
interface Stop {
  /** Where the end of the spring is then, m. */
  place: Point;
  /** Unit vector in which the end moves there. */
  along: Point;
  rigid: boolean;
}

/** A point of a contact of surfaces at a time. */
interface ContactPoint {
  /** Position of the closest point on the face of the guide, m. */
  place: Point;
  /** Force per length on the path there, N/m. */
  force: Point;
  /** 0 open, 1 sticking, 2 slipping. */
  state: number;
}

/** Least x and y, largest x and y, m. */
type Box = [number, number, number, number];

/** Boxes around all positions of the run and around those that move. */
interface Extents {
  all: Box;
  moving: Box;
}

/** Force of a slider on its path in a frame. */
interface SliderForce {
  /** Where it acts, m. */
  place: Point;
  /** Components x and y as parts of the largest force of the run. */
  u: number;
  v: number;
}

/** Where the world is on a canvas. */
interface Scale {
  /** Pixels per metre. */
  scale: number;
  /** Pixels of the world's origin. */
  x: number;
  y: number;
}

/** A corner of a coloured triangle: pixels x and y, and its position on the scale of the shades. */
type Corner = [number, number, number];

/** A place for a name beside its point. */
interface Beside {
  /** Distance of their middles as parts of half the size of the name: −1, 0 or 1. */
  x: number;
  y: number;
  /** Distance that is added to that size, px. */
  gap: number;
}

/** Names at one position. */
interface Label {
  /** px. */
  at: Point;
  names: string[];
}

/** A name in the picture. */
interface DrawnName {
  /** Its middle, px. */
  x: number;
  y: number;
  /** Half of its width and height, px. */
  half: Point;
}

/** A curve and its elements. */
interface CurveView {
  panel: Panel;
  /** What it is drawn over at present; null for the time. */
  over: Over | null;
  /** Times of the kept values, s. */
  times: number[];
  figure: HTMLElement;
  /** Holds the canvas, the cursor and the dot. */
  plot: HTMLElement;
  canvas: HTMLCanvasElement;
  /** The vertical line at the clock's time. */
  cursor: HTMLElement;
  /** Where that line meets the curve. */
  dot: HTMLElement;
  /** The value at the clock's time as text. */
  output: HTMLElement;
  /** Names the curve and what it is drawn over. */
  name: HTMLElement;
  /** Least and largest value of the vertical axis, in the unit of the panel. */
  low: number;
  high: number;
  /** Least and largest value of the horizontal axis: s, or the unit of what it is drawn over. */
  left: number;
  right: number;
}
