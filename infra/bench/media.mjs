/** Uploads of three sizes, a file that is served, and photos with their variants, on each variant of the system. */
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { request } from 'undici';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const sizes = { 'upload 1 KB': kibibyte, 'upload 1 MB': mebibyte, 'upload 100 MB': 100 * mebibyte };
const servedBytes = 100 * kibibyte;
/** More at once would only wait for each other. */
const largeUploadConcurrency = 2;
/** Largest file that the measured systems take. */
export const maxUploadBytes = 256 * mebibyte;

const boundary = 'quire-bench-boundary';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
const filler = Buffer.alloc(64 * kibibyte, 1);
/** As many photos at once as a page of a gallery shows at first. */
const photoConcurrency = 4;
const photoQuery = 'w=640&format=webp';
const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

let made = 0;
/** A form with a file that is like no other, piece by piece. */
function* form(size) {
  made += 1;
  const first = Buffer.from(`%PDF-1.7\n${process.pid} ${made}\n`.padEnd(64));
  yield Buffer.concat([head, first]);
  for (let left = size - first.length; left > 0; left -= filler.length)
    yield filler.subarray(0, Math.min(left, filler.length));
  yield tail;
}

/** Uploads one file. @returns what the server calls it */
export async function upload({ origin, headers }, path, size) {
  const answer = await request(origin + path, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
    body: Readable.from(form(size)),
  });
  const parsed = await answer.body.json();
  if (answer.statusCode !== 201) throw new Error(`upload: ${answer.statusCode} ${JSON.stringify(parsed)}`);
  return parsed.data.item;
}

/** Uploads again and again for a while. @returns what `load` returns, and what was made */
async function loadUploads(variant, path, { size, seconds, concurrency }) {
  const times = [];
  const items = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const worker = async () => {
    do {
      const from = performance.now();
      items.push(await upload(variant, path, size));
      times.push(performance.now() - from);
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const rate = (times.length * 1000) / (performance.now() - startedAt);
  times.sort((left, right) => left - right);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return { rate, p50, p99, count: times.length, items };
}

/** Deletes what an upload made, so that the disk does not fill. */
async function remove({ origin, headers }, path, items) {
  for (let index = 0; index < items.length; index += 16)
    await Promise.all(
      items.slice(index, index + 16).map(async ({ id }) => {
        const answer = await request(`${origin}${path}/${id}`, { method: 'DELETE', headers });
        await answer.body.dump();
      }),
    );
}

/**
 * A photo of 12 megapixels as a camera takes it, about 3 MB: one for all, which a few bytes behind its end make another
 * file.
 */
async function takePhoto() {
  const [width, height] = [4000, 3000];
  const noise = { type: 'gaussian', mean: 128, sigma: 40 };
  const grain = { create: { width: 800, height: 600, channels: 3, background: '#808080', noise } };
  return sharp(await sharp(grain).png().toBuffer())
    .resize(width, height)
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** Uploads a photo. @returns what the server calls it */
async function uploadPhoto({ origin, headers }, photo) {
  made += 1;
  const file = Buffer.concat([photo, Buffer.from(`${process.pid} ${made}`)]);
  const body = new FormData();
  body.append('file', new Blob([file], { type: 'image/jpeg' }), 'a.jpg');
  const encoded = new Response(body);
  const answer = await request(`${origin}/_cms/api/media`, {
    method: 'POST',
    headers: { ...headers, 'content-type': encoded.headers.get('content-type') },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
  const parsed = await answer.body.json();
  if (answer.statusCode !== 201) throw new Error(`upload: ${answer.statusCode} ${JSON.stringify(parsed)}`);
  return parsed.data.item;
}

/** Has the first variant of an uploaded photo made. */
async function createVariant({ origin, headers }, { url }) {
  const answer = await request(`${origin}${url}?${photoQuery}`, { headers });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`variant: ${answer.statusCode}`);
}

/**
 * Uploads photos for a while, and has a variant made of each.
 * @param timed which of the two is measured
 */
async function loadPhotos(variant, photo, { seconds, timed }) {
  const times = [];
  const items = [];
  const end = performance.now() + seconds * 1000;
  const worker = async () => {
    do {
      const from = performance.now();
      const item = await uploadPhoto(variant, photo);
      const uploadedAt = performance.now();
      items.push(item);
      if (timed === 'variant') await createVariant(variant, item);
      times.push(timed === 'variant' ? performance.now() - uploadedAt : uploadedAt - from);
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: photoConcurrency }, worker));
  times.sort((left, right) => left - right);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return { rate: (photoConcurrency * 1000) / mean, p50, p99, count: times.length, items };
}

/**
 * Prepares what is measured.
 * @returns by operation and variant: the process to watch, what loads it for some seconds, and what clears up behind it
 */
export async function openMedia({ variants, load }) {
  const paths = (name) => (name === 'baseline' ? '/media' : '/_cms/api/media');
  const operations = {};
  for (const [operation, size] of Object.entries(sizes)) {
    operations[operation] = {};
    for (const [name, variant] of Object.entries(variants))
      operations[operation][name] = {
        pid: variant.pid,
        run: (seconds, connections) => {
          const concurrency = size > mebibyte ? largeUploadConcurrency : connections;
          return loadUploads(variant, paths(name), { size, seconds, concurrency });
        },
        clear: ({ items }) => remove(variant, paths(name), items),
      };
  }
  operations['serve 100 KB'] = {};
  for (const [name, variant] of Object.entries(variants)) {
    const { url } = await upload(variant, paths(name), servedBytes);
    // Files are for anybody.
    const headers = name === 'baseline' ? {} : { host: variant.host };
    const next = () => ({ path: url });
    const label = `serve (${name})`;
    operations['serve 100 KB'][name] = {
      pid: variant.pid,
      run: (seconds, connections) =>
        load({ label, origin: variant.origin, headers, next, seconds, connections }),
      clear: async () => undefined,
    };
  }
  const photo = await takePhoto();
  for (const [operation, timed] of Object.entries({ 'upload photo': 'upload', 'make variant': 'variant' })) {
    operations[operation] = {};
    for (const [name, variant] of Object.entries(variants)) {
      if (name === 'baseline') continue;
      operations[operation][name] = {
        pid: variant.pid,
        run: (seconds) => loadPhotos(variant, photo, { seconds, timed }),
        clear: ({ items }) => remove(variant, paths(name), items),
      };
    }
  }
  return operations;
}
