/* Types of the calls (tools/studio/src/request.rs) and of the parts of the page, for the type checker alone. */

/** What the module exports (tools/studio/src/lib.rs). */
interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  call(): number;
  answer(): number;
  last_words(): number;
}

type Value = [name: string, value: number];

interface Subject {
  file: string;
  text: string;
  set: Value[];
  stop?: number;
  step?: number;
}

type Call =
  | { call: "schema" | "models" | "files" | "clear" | "close" | "show" | "page" | "rows" | "gif" | "table" | "library" }
  | { call: "model" | "keep" | "record"; name: string }
  | ({ call: "open" | "written" } & Subject)
  | { call: "advance"; steps: number; set: Value[] }
  | ({ call: "analyse" } & Analysis)
  | { call: "converge"; steps: number }
  | { call: "converged"; accuracy: number }
  | { call: "pack"; date?: string };

/** What is computed beside the run (tools/studio/src/analysis.rs). */
type Analysis =
  | { what: "modes"; count: number }
  | { what: "statics"; to?: number; diagram?: string }
  | { what: "friction"; normal_force?: number }
  | { what: "jamming"; time?: number; limit?: [name: string, from: number, to: number]; contact?: string; backwards?: boolean };

interface Answer {
  answer: any;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A fault or a warning; lines and columns count from 1, and are 0 where it belongs to no line. */
interface Finding {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  severity: "error" | "warning";
  message: string;
}

/** A number that may be set. */
interface ModelNumber {
  name: string;
  unit: string;
  description: string;
  value: number;
  range: [number | null, number | null];
  is_input: boolean;
  is_truth: boolean;
  is_whole: boolean;
}

interface About {
  name: string;
  description: string;
  stop: number;
  step: number;
  numbers: ModelNumber[];
  /** Contacts of surfaces, which may jam. */
  contacts: string[];
  /** Whether elastic members have diagrams of section forces. */
  has_diagrams: boolean;
}

interface Opened {
  findings: Finding[];
  about: About | null;
}

/** How far a run, or a study of runs, has come. */
interface Progress {
  /** How much of it is done, of 1. */
  share: number;
  /** What it is at. */
  words: string;
  done: boolean;
  failure: string | null;
  warnings: Finding[];
}

interface Listed {
  name: string;
  description: string;
}

/** What the worker is asked. */
type Asked =
  | { id: number; request: Call; file?: Uint8Array }
  | { id: number; run: Value[] }
  | { id: number; converge: number }
  | { set: Value[] }
  | { stop: true }
  | { seen: true };

/** What the worker says. */
type Said =
  | { ready: true }
  | { id: number; answer: Answer }
  | { id: number; refusal: string }
  | { crash: string }
  | { progress: Progress }
  | { shown: Answer };

/** A schema of JSON, as far as the editor reads it. */
interface Schema {
  description?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: (string | number | boolean)[];
  default?: unknown;
  required?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** The page of a run inside the studio, as far as the studio calls it. */
interface PageWindow extends Window {
  renew(data: unknown, symbols: string): boolean;
}
