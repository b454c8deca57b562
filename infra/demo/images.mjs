import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { eachOf } from './api.mjs';
import { contentOf } from './entries.mjs';

const width = 1600;
const height = 1000;
const hills = 4;

/** Numbers from 0 to 1 that belong to a text: the same each time. */
function numbersOf(text) {
  let left = createHash('sha256').update(text).digest();
  return () => {
    if (left.length < 2) left = createHash('sha256').update(text).update(String(left)).digest();
    const number = left.readUInt16BE(0) / 65_535;
    left = left.subarray(2);
    return number;
  };
}

/** The outline of a range of hills, from the left edge to the right one. */
function outline(next, top) {
  const points = Array.from({ length: 7 }, (_, index) => [
    (index * width) / 6,
    Math.round(top + next() * 160 - 80),
  ]);
  const curves = points
    .slice(1)
    .map(([x, y], index) => `S ${x - width / 12} ${(y + points[index][1]) / 2} ${x} ${y}`);
  return `M 0 ${points[0][1]} ${curves.join(' ')} V ${height} H 0 Z`;
}

/** A landscape that belongs to a text, as an SVG. */
function landscape(text) {
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

/** Many attachments are called what their file was. */
const withoutEnding = (title) => title.replace(/\.\w{3,4}$/, '');

/** The images that entries show: one an attachment of an export, however many entries show it. */
function shownImages(exports) {
  const images = new Map();
  for (const source of exports) {
    const titles = new Map(source.items.map(({ id, title }) => [id, title]));
    for (const { imageId, imageKey, title } of contentOf(source))
      if (imageKey !== undefined)
        images.set(imageKey, { key: imageKey, title: withoutEnding(titles.get(imageId) ?? title) });
  }
  return [...images.values()];
}

const fileName = (title) => `${title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'image'}.jpg`;

/**
 * Paints and uploads the images that the exports only link to. A second run uploads the same bytes and is told so.
 * @returns {Promise<Map<string, { id: string, alt: string }>>} values of an image field, by `imageKey`; empty when this
 *   Quire takes no media
 */
export async function importImages(api, exports) {
  const values = new Map();
  const { status } = await api.send('GET', '/media?limit=1');
  if (status === 404) {
    console.log('  this Quire has no routes for media (404): entries go without');
    return values;
  }
  const images = shownImages(exports);
  const uploads = await eachOf(images, async ({ key, title }) => {
    const bytes = await sharp(Buffer.from(landscape(key)))
      .jpeg({ quality: 82 })
      .toBuffer();
    const form = new FormData();
    form.set('file', new Blob([bytes], { type: 'image/jpeg' }), fileName(title));
    form.set('alt', title);
    const { item, deduplicated = false } = await api.upload('/media', form);
    values.set(key, { id: item.id, alt: title });
    return deduplicated;
  });
  const there = uploads.filter((isThere) => isThere).length;
  console.log(`  ${uploads.length - there} uploaded, ${there} there already`);
  return values;
}
