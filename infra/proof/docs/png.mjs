// Writes pictures.

import { crc32, deflateSync } from "node:zlib";

const TRUE_COLOUR = 2;
const INDEXED = 3;

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function png(width, height, type, samples, before) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, type], 8);
  const line = samples.length / height;
  // Each line begins with its filter, which is none.
  const lines = Buffer.alloc(height * (line + 1));
  for (let y = 0; y < height; y++) lines.set(samples.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    ...before.map(([type, data]) => chunk(type, data)),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A small picture with a text, under a name, in a `tEXt` chunk. */
export function pictureWith(name, text) {
  const side = 160;
  const samples = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) samples.set([60 + y, 90 + (x >> 1), 200 - y], 3 * (y * side + x));
  }
  return png(side, side, TRUE_COLOUR, samples, [["tEXt", Buffer.from(`${name}\0${text}`, "latin1")]]);
}

/** A picture of its 256 commonest colours, the others as the nearest of them: a third of the bytes. */
export function indexed({ width, height, pixels }) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const rgb = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const palette = [...counts].sort(([, one], [, other]) => other - one).slice(0, 256).map(([colour]) => rgb(colour));
  const nearest = new Map();
  for (const colour of counts.keys()) {
    const [r, g, b] = rgb(colour);
    const distance = ([x, y, z]) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2;
    let [best, least] = [0, Infinity];
    palette.forEach((each, index) => {
      if (distance(each) < least) [best, least] = [index, distance(each)];
    });
    nearest.set(colour, best);
  }
  const samples = Buffer.from(pixels.map((colour) => nearest.get(colour)));
  return png(width, height, INDEXED, samples, [["PLTE", Buffer.from(palette.flat())]]);
}
