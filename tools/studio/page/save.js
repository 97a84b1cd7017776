/* What a user takes away: files, and a link. */

/**
 * Hands a file to the user.
 * @param {BlobPart} bytes
 * @param {string} type
 * @param {string} name
 */
export function download(bytes, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Libraries that lie beside the page, by the platforms that they are for. @type {Promise<{ file: string, platform: string }[]>} */
export const libraries = fetch("libraries/index.json").then(found => found.json()).catch(() => []);

/**
 * An FMU of a text, with the libraries that lie beside the page.
 * @param {import("./client.js").Client} client
 * @param {string} text
 */
export async function fmu(client, text) {
  const list = await libraries;
  if (list.length === 0) throw new Error("this studio was built without a library for FMUs: tools/portable-library makes one, then tools/studio/build");
  for (const { file } of list) {
    const found = await fetch(`libraries/${file}`);
    if (!found.ok || !found.body) throw new Error(`libraries/${file}: ${found.status} ${found.statusText}`);
    let bytes = new Uint8Array(await found.arrayBuffer());
    if (bytes[0] === 0x1f) bytes = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
    await client.ask({ call: "library" }, bytes);
  }
  // What sliders have changed is no part of the text.
  await client.ask({ call: "open", file: "model.toml", text, set: [] });
  return (await client.ask({ call: "pack", date: new Date().toISOString().replace(/\.\d+/, "") })).bytes;
}
