import { createHash } from 'node:crypto';
import sharp from 'sharp';

const width = 1600;
const height = 1000;
const hills = 4;

/** Returns pseudo-random numbers from 0 to 1, the same in each run for a text. */
function numbersOf(text: string): () => number {
  let left = createHash('sha256').update(text).digest();
  return () => {
    if (left.length < 2) left = createHash('sha256').update(text).update(String(left)).digest();
    const number = left.readUInt16BE(0) / 65_535;
    left = left.subarray(2);
    return number;
  };
}

/** The outline of a range of hills, from the left edge to the right one. */
function outline(next: () => number, top: number): string {
  const heights = Array.from({ length: 7 }, () => Math.round(top + next() * 160 - 80));
  const [first = 0, ...rest] = heights;
  const curves = rest.map((y, index) => {
    const x = ((index + 1) * width) / 6;
    return `S ${x - width / 12} ${(y + (heights[index] ?? y)) / 2} ${x} ${y}`;
  });
  return `M 0 ${first} ${curves.join(' ')} V ${height} H 0 Z`;
}

/** Draws a landscape, the same in each run for a text. @returns a JPEG */
export async function drawLandscape(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const next = numbersOf(text);
  const hue = Math.round(next() * 360);
  const sun = { x: Math.round(200 + next() * 1200), y: Math.round(150 + next() * 250) };
  const ranges = Array.from({ length: hills }, (_, index) => {
    const top = 480 + index * 130;
    const lightness = 58 - index * 13;
    return `<path d="${outline(next, top)}" fill="hsl(${(hue + 150 + index * 12) % 360} 38% ${lightness}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1">
      <stop stop-color="hsl(${hue} 60% 45%)"/><stop offset="0.7" stop-color="hsl(${(hue + 40) % 360} 75% 82%)"/>
    </linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${Math.round(50 + next() * 60)}" fill="hsl(${(hue + 50) % 360} 90% 92%)"/>
    ${ranges.join('\n')}
  </svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer());
}
