/**
 * Draws the icons: node scripts/icons.mjs
 *
 * One mark in a grid of 64: what is said, and said yes to. As SVG, and as PNG in the sizes that
 * systems ask for. Run by hand when the mark changes; what it writes is under version control.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "public", "icons");
const GRID = 64;
const SAMPLES = 4;
const GROUND = [11, 102, 96];
const PAPER = [255, 255, 255];
const BUBBLE = { x: 11, y: 13, width: 42, height: 32, radius: 10 };
const TAIL = [
  [19, 43],
  [19, 55],
  [33, 43],
];
const CHECK = [
  [22.5, 29],
  [29.5, 36],
  [42, 22.5],
];
const STROKE = 5.5;

// --- shapes: whether a point of the grid lies in them ---------------------------------------

function inRounded(x, y, box) {
  const dx = Math.max(box.x + box.radius - x, x - (box.x + box.width - box.radius), 0);
  const dy = Math.max(box.y + box.radius - y, y - (box.y + box.height - box.radius), 0);
  return dx * dx + dy * dy <= box.radius * box.radius;
}

function inTriangle(x, y, [a, b, c]) {
  const side = (p, q) => (x - q[0]) * (p[1] - q[1]) - (p[0] - q[0]) * (y - q[1]);
  const signs = [side(a, b), side(b, c), side(c, a)];
  return signs.every((sign) => sign >= 0) || signs.every((sign) => sign <= 0);
}

function nearLine(x, y, p, q, reach) {
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  const along = Math.min(1, Math.max(0, ((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - p[0] - along * dx, y - p[1] - along * dy) <= reach;
}

function inBubble(x, y) {
  return inRounded(x, y, BUBBLE) || inTriangle(x, y, TAIL);
}

function inCheck(x, y) {
  return nearLine(x, y, CHECK[0], CHECK[1], STROKE / 2) || nearLine(x, y, CHECK[1], CHECK[2], STROKE / 2);
}

/** Returns red, green, blue and opacity of a point. */
function whole(x, y, radius) {
  if (inBubble(x, y)) return [...(inCheck(x, y) ? GROUND : PAPER), 1];
  const isIn = inRounded(x, y, { x: 0, y: 0, width: GRID, height: GRID, radius });
  return [...GROUND, isIn ? 1 : 0];
}

function plain(x, y) {
  return [...PAPER, inBubble(x, y) && !inCheck(x, y) ? 1 : 0];
}

// --- pictures -----------------------------------------------------------------------------

/** Returns a PNG. `scale`: how much of the picture the mark takes, around its middle. */
function png(size, pointAt, scale = 1) {
  const rows = Buffer.alloc((size * 4 + 1) * size);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const sum = [0, 0, 0, 0];
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
        const at = (place, offset) => {
          const raw = ((place + (offset + 0.5) / SAMPLES) / size) * GRID;
          return (raw - GRID / 2) / scale + GRID / 2;
        };
        const [r, g, b, a] = pointAt(at(x, sample % SAMPLES), at(y, Math.floor(sample / SAMPLES)));
        sum[0] += r * a;
        sum[1] += g * a;
        sum[2] += b * a;
        sum[3] += a;
      }
      const start = y * (size * 4 + 1) + 1 + x * 4;
      const opacity = sum[3] || 1;
      for (let part = 0; part < 3; part += 1) rows[start + part] = Math.round(sum[part] / opacity);
      rows[start + 3] = Math.round((sum[3] / (SAMPLES * SAMPLES)) * 255);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(8 + body.length);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), 4 + body.length);
  return framed;
}

function svg() {
  const { x, y, width, height, radius } = BUBBLE;
  const points = (all) => all.map((point) => point.join(" ")).join("L");
  const colour = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${GRID} ${GRID}">`,
    `<rect width="${GRID}" height="${GRID}" rx="15" fill="${colour(GROUND)}"/>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${colour(PAPER)}"/>`,
    `<path d="M${points(TAIL)}z" fill="${colour(PAPER)}"/>`,
    `<path d="M${points(CHECK)}" fill="none" stroke="${colour(GROUND)}" stroke-width="${STROKE}"` +
      ` stroke-linecap="round" stroke-linejoin="round"/>`,
    "</svg>",
    "",
  ].join("\n");
}

await mkdir(folder, { recursive: true });
const rounded = (x, y) => whole(x, y, 15);
const bled = (x, y) => whole(x, y, 0);
const everywhere = (x, y) => (x < 0 || y < 0 || x > GRID || y > GRID ? [...GROUND, 1] : bled(x, y));
await writeFile(join(folder, "mark.svg"), svg());
await writeFile(join(folder, "icon-192.png"), png(192, rounded));
await writeFile(join(folder, "icon-512.png"), png(512, rounded));
// Systems cut a maskable icon as they like: the mark stays within the middle.
await writeFile(join(folder, "icon-maskable-512.png"), png(512, everywhere, 0.78));
await writeFile(join(folder, "badge.png"), png(96, plain, 1.25));
