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
  | { call: "schema" | "models" | "files" | "clear" | "close" | "show" | "page" | "rows" | "library" }
  | { call: "model" | "keep"; name: string }
  | ({ call: "open" | "written" } & Subject)
  | { call: "advance"; steps: number; set: Value[] }
  | { call: "modes"; count: number }
  | { call: "pack"; date?: string };

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
}

interface Opened {
  findings: Finding[];
  about: About | null;
}

interface Progress {
  time: number;
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
