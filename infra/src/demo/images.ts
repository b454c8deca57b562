import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { mapConcurrently, type Api } from './api.js';
import { contentOf } from './entries.js';
import type { ExportFile } from './export.js';

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

/** A landscape for a text, as an SVG. */
function landscape(text: string): string {
  const next = numbersOf(text);
  const hue = Math.round(next() * 360);
  const sun = { x: Math.round(200 + next() * 1200), y: Math.round(150 + next() * 250) };
  const ranges = Array.from({ length: hills }, (_, index) => {
    const top = 480 + index * 130;
    const lightness = 58 - index * 13;
    return `<path d="${outline(next, top)}" fill="hsl(${(hue + 150 + index * 12) % 360} 38% ${lightness}%)"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1">
      <stop stop-color="hsl(${hue} 60% 45%)"/><stop offset="0.7" stop-color="hsl(${(hue + 40) % 360} 75% 82%)"/>
    </linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${Math.round(50 + next() * 60)}" fill="hsl(${(hue + 50) % 360} 90% 92%)"/>
    ${ranges.join('\n')}
  </svg>`;
}

/** The titles of many attachments are file names. */
const withoutExtension = (title: string) => title.replace(/\.\w{3,4}$/, '');

interface ShownImage {
  key: string;
  title: string;
}

/** The images of entries: one for each attachment of an export, and one for entries without. */
function shownImages(exports: readonly ExportFile[]): ShownImage[] {
  const images = new Map<string, ShownImage>();
  for (const source of exports) {
    const titles = new Map(source.items.map(({ id, title }) => [id, title]));
    for (const { imageId, imageKey, title } of contentOf(source))
      images.set(imageKey, { key: imageKey, title: withoutExtension(titles.get(imageId ?? '') ?? title) });
  }
  return [...images.values()];
}

const fileName = (title: string) => `${title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'image'}.jpg`;

interface Uploaded {
  item: { id: string };
  deduplicated?: boolean;
}

/** A value of an image field. */
interface ImageValue {
  id: string;
  alt: string;
}

/**
 * Draws and uploads the images to which the exports only link. The upload recognises the same bytes of a second run.
 * @returns values of the image field by `imageKey`; empty when this Quire has no media
 */
export async function importImages(
  api: Api,
  exports: readonly ExportFile[],
): Promise<Map<string, ImageValue>> {
  const values = new Map<string, ImageValue>();
  const { status } = await api.send('GET', '/media?limit=1');
  if (status === 404) {
    console.log('  this Quire has no routes for media (404): entries go without');
    return values;
  }
  const images = shownImages(exports);
  const uploads = await mapConcurrently(images, async ({ key, title }) => {
    const bytes = await sharp(Buffer.from(landscape(key)))
      .jpeg({ quality: 82 })
      .toBuffer();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), fileName(title));
    form.set('alt', title);
    const { item, deduplicated = false } = await api.upload<Uploaded>('/media', form);
    values.set(key, { id: item.id, alt: title });
    return deduplicated;
  });
  const there = uploads.filter((isThere) => isThere).length;
  console.log(`  ${uploads.length - there} uploaded, ${there} there already`);
  return values;
}
