/* The data of the page as page/mod.rs serialises them, for the type checker alone: nothing of this file goes into a page.
   Names are those
   of Rust; `AnimationData` is `Animation` there, a name that browsers use. Nodes, points, members, sliders and bodies are
   given by their index from 0. */

/** Coordinates x and y, or the components of a vector. */
type Point = [number, number];

/** Little-endian numbers of one type, in base64; the comment of the field names the type. */
type Base64 = string;

/** Everything that a page shows (page/mod.rs). */
interface Data {
  curves: Curves;
  /** null where the run was not filmed. */
  animation: AnimationData | null;
}

/** Curves of the outputs over time (page/curves.rs). */
interface Curves {
  /** Time from row to row of the results, s. */
  step: number;
  /** Index of the last row. */
  last_row: number;
  /** Time of the last row, s, which may be less than a step after the row before. */
  last_time: number;
  panels: Panel[];
}

/** The horizontal axis of an output that is drawn over another one. */
interface Over {
  name: string;
  /** Empty for a number without a unit. */
  unit: string;
  /** One for each value of the panel, in the unit; null where a value is not finite. */
  values: (number | null)[];
}

/** The curve of one output. */
interface Panel {
  name: string;
  /** Empty for a number without a unit. */
  unit: string;
  description: string;
  /** null where it is drawn over the time. */
  over: Over | null;
  /** Number of rows from each kept value to the next, beginning at row 0; null where all rows are kept. */
  steps: number[] | null;
  /** Kept values in the unit; null where a value is not finite. */
  values: (number | null)[];
}

/** The mechanism in motion (animation/mod.rs). */
interface AnimationData {
  /** Row of the results of each frame. */
  rows: number[];
  /** Names of the points, which are the first nodes. */
  points: string[];
  /** Initial coordinates of the nodes, x and y in turn, m. */
  initial: number[];
  /** Body of each node. */
  body: number[];
  bodies: BodyData[];
  /** Whether each assembly is supported or driven by more than sliders. */
  held: boolean[];
  members: MemberData[];
  sliders: SliderData[];
  contacts: ContactData[];
  springs: SpringData[];
  /** Rotation of a section in each frame, rad, float 32, by the number of its unknown. */
  turns: Record<string, Base64>;
  /** Unit of the forces per length of contacts, N/m. */
  pressure_unit: number;
  solids: SolidData[];
  /** null without elastic plane bodies. */
  stress: StressData | null;
  /** Nodes with deformations. */
  moving: number[];
  /** Unit of the deformations, m. */
  unit: number;
  /** Deformations x and y of the nodes `moving`, frame by frame: int 16 in `unit`. */
  deformations: Base64;
  exaggeration: Exaggeration;
}

/** Nodes whose rigid motion is separated from their deformation. */
interface BodyData {
  assembly: number;
  /** Initial position of the point that it turns about, m. */
  centre: Point;
  /** Displacement x and y (m) and rotation (rad) in each frame, float 32; empty where it does not move. */
  poses: Base64;
}

/** A beam or a rigid member. */
interface MemberData {
  name: string;
  /** Nodes of its elements from end to end; neighbours share one. */
  nodes: number[];
  /** Polynomial order of its elements. */
  order: number;
  /** Straight pieces that each element is drawn with. */
  pieces: number;
  /** Height of the rectangle with its bending stiffness, m; null for a rigid member and for one of the ground. */
  height: number | null;
  /** Whether it is a rigid body that moves. */
  rigid: boolean;
}

/** An element of a path. */
interface PathData {
  nodes: number[];
  /** Arc length from the begin of the path to the begin of the element, m. */
  start: number;
  /** m. */
  length: number;
}

/** A slider on its path. */
interface SliderData {
  name: string;
  /** Its point. */
  point: number;
  path: PathData[];
  /** Sliding coordinate s in each frame, m, float 32. */
  positions: Base64;
  /** Force x and y of the slider on its path in each frame, N, float 32. */
  forces: Base64;
  /** null on a smooth path. */
  roughness: RoughnessData | null;
}

/** Profile of a rough path. */
interface RoughnessData {
  /** Distance from height to height, m. */
  step: number;
  /** Heights to the left of the path, m, float 32. */
  heights: Base64;
  /** Largest absolute height, m. */
  largest: number;
}

/** A contact of surfaces (animation/contacts.rs). */
interface ContactData {
  name: string;
  surface: SurfaceData[];
  /** The path of the guide. */
  path: PathData[];
  /** Sides of the path with a face: 1 to the left, −1 to the right. */
  sides: number[];
  /** Distance of the faces from the path, m. */
  offset: number;
  /** Number of contact points. */
  points: number;
  /** Position s of the closest point on the path, of each contact point in each frame, m, float 32. */
  positions: Base64;
  /** Pressure and friction per length of the surface, of each contact point in each frame: int 16 in `pressure_unit`. Pressure is
      positive to the left of the path, friction along growing s. */
  forces: Base64;
  /** State of each contact point in each frame, uint 8: 0 open, 1 sticking, 2 slipping. */
  states: Base64;
}

/** A part of a surface as it is drawn. */
interface SurfaceData {
  nodes: number[];
  /** Polynomial order of its elements. */
  order: number;
  /** Straight pieces that each element is drawn with. */
  pieces: number;
  /** Distance of the surface to the left of its nodes, m. */
  height: number;
}

/** A spring between two points or a point and the ground (animation/springs.rs). */
interface SpringData {
  name: string;
  /** Point at its begin; null on the ground. */
  from: number | null;
  /** Position of its begin on the ground, m. */
  ground: Point;
  /** Point at its end. */
  to: number;
  /** Unit vector along which it measures; null for the distance of its ends. */
  direction: Point | null;
  /** Where its stops are in what it measures, m, and whether each is rigid. */
  stops: [at: number, rigid: boolean][];
  /** Lines of its symbol: part of the distance from begin to end, and px across. */
  lines: Point[][];
}

/** A plane body (animation/solids.rs). */
interface SolidData {
  name: string;
  /** Polynomial order of its triangles. */
  order: number;
  /** Straight pieces that each side is drawn with. */
  pieces: number;
  /** Number of each node of its mesh among all nodes. */
  nodes: number[];
  /** Nodes of its mesh, triangle after triangle. */
  triangles: number[];
  /** Closed chains of sides around the body, as nodes of its mesh. */
  loops: number[][];
  /** Chains of sides between triangles. */
  inner: number[][];
  /** Shape functions at the positions between which a triangle is coloured. */
  weights: number[][];
  /** Straight triangles between these positions. */
  parts: [number, number, number][];
}

/** Von Mises stress of the nodes of all plane bodies. */
interface StressData {
  /** Pa. */
  unit: number;
  /** Of the nodes of all bodies in turn, frame by frame: uint 16 in `unit`. */
  values: Base64;
}

/** Factors by which deformations are exaggerated. */
interface Exaggeration {
  /** At first. */
  first: number;
  /** At most. */
  most: number;
}
