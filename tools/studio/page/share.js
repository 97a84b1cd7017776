/* A model in a link: the text, packed, behind the # of the address, which no server sees. */

const MARK = "#model=";

/** @type {(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) => Promise<Uint8Array<ArrayBuffer>>} */
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/**
 * The part of the address that holds a model.
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function hashOf(text) {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(packed, byte => String.fromCharCode(byte)).join("");
  return MARK + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The model of an address; null where it holds none.
 * @param {string} hash
 * @returns {Promise<string | null>}
 */
export async function textOf(hash) {
  if (!hash.startsWith(MARK)) return null;
  try {
    const letters = atob(hash.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, letter => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}
