/** Uploads of three sizes, a served file, and photos with their variants, on each variant of the system. */
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import sharp, { type SharpOptions } from 'sharp';
import { request } from 'undici';
import type { BenchContext } from './context.js';
import { percentilesOf, type Load, type NextRequest, type Operations } from './load.js';
import { readJson } from './responses.js';
import type { Site } from './systems.js';

type Target = Pick<Site, 'origin' | 'headers'>;

/** A media item of a response. */
interface Item {
  id: string;
  url: string;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const sizes = { 'upload 1 KB': kibibyte, 'upload 1 MB': mebibyte, 'upload 100 MB': 100 * mebibyte };
const servedBytes = 100 * kibibyte;
/** More concurrent uploads would only wait for each other: two of 16. */
const connectionsOfLargeUpload = 8;
/** Largest file that the measured systems take. */
export const maxUploadBytes = 256 * mebibyte;

const boundary = 'quire-bench-boundary';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
const filler = Buffer.alloc(64 * kibibyte, 1);
/** As many concurrent photos as a page of a gallery shows first: four of 16. */
const connectionsOfPhoto = 4;
const photoQuery = 'w=640&format=webp';

let created = 0;
/** The chunks of a form with a unique file. */
function* form(size: number): Generator<Buffer> {
  created += 1;
  const first = Buffer.from(`%PDF-1.7\n${process.pid} ${created}\n`.padEnd(64));
  yield Buffer.concat([head, first]);
  for (let left = size - first.length; left > 0; left -= filler.length)
    yield filler.subarray(0, Math.min(left, filler.length));
  yield tail;
}

/** Uploads one file. */
export async function upload({ origin, headers }: Target, path: string, size: number): Promise<Item> {
  const response = await request(origin + path, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
    body: Readable.from(form(size)),
  });
  return (await readJson<{ data: { item: Item } }>('upload', response)).data.item;
}

interface UploadOptions {
  size: number;
  seconds: number;
  concurrency: number;
}

/** Uploads files for some seconds. */
async function loadUploads(
  variant: Target,
  path: string,
  { size, seconds, concurrency }: UploadOptions,
): Promise<Load> {
  const times: number[] = [];
  const itemIds: string[] = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const worker = async () => {
    do {
      const from = performance.now();
      itemIds.push((await upload(variant, path, size)).id);
      times.push(performance.now() - from);
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const rate = (times.length * 1000) / (performance.now() - startedAt);
  return { rate, ...percentilesOf(times), count: times.length, itemIds };
}

/** Deletes uploaded items, so that the disk does not fill. */
async function deleteItems(
  { origin, headers }: Target,
  path: string,
  ids: readonly string[] = [],
): Promise<void> {
  for (let index = 0; index < ids.length; index += 16)
    await Promise.all(
      ids.slice(index, index + 16).map(async (id) => {
        const response = await request(`${origin}${path}/${id}`, { method: 'DELETE', headers });
        await response.body.dump();
      }),
    );
}

/** A photo of 12 megapixels, about 3 MB, like that of a camera. A few bytes after its end make another file of it. */
async function createPhoto(): Promise<Buffer> {
  const [width, height] = [4000, 3000];
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const grain: SharpOptions = {
    create: { width: 800, height: 600, channels: 3, background: '#808080', noise },
  };
  return sharp(await sharp(grain).png().toBuffer())
    .resize(width, height)
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** Uploads a photo. */
async function uploadPhoto({ origin, headers }: Target, photo: Buffer): Promise<Item> {
  created += 1;
  const file = Buffer.concat([photo, Buffer.from(`${process.pid} ${created}`)]);
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'a.jpg');
  const encoded = new Response(body);
  const response = await request(`${origin}/_cms/api/media`, {
    method: 'POST',
    headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? undefined },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
  return (await readJson<{ data: { item: Item } }>('upload', response)).data.item;
}

/** Requests the first variant of an uploaded photo. */
async function createVariant({ origin, headers }: Target, { url }: Item): Promise<void> {
  const response = await request(`${origin}${url}?${photoQuery}`, { headers });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`variant: ${response.statusCode}`);
}

type TimedStep = 'upload' | 'variant';

/** Uploads photos for some seconds, and requests a variant of each. @param timed the measured step */
async function loadPhotos(
  variant: Target,
  photo: Buffer,
  { seconds, concurrency, timed }: { seconds: number; concurrency: number; timed: TimedStep },
): Promise<Load> {
  const times: number[] = [];
  const itemIds: string[] = [];
  const end = performance.now() + seconds * 1000;
  const worker = async () => {
    do {
      const from = performance.now();
      const item = await uploadPhoto(variant, photo);
      const uploadedAt = performance.now();
      itemIds.push(item.id);
      if (timed === 'variant') await createVariant(variant, item);
      times.push(timed === 'variant' ? performance.now() - uploadedAt : uploadedAt - from);
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { rate: (concurrency * 1000) / mean, ...percentilesOf(times), count: times.length, itemIds };
}

/** Prepares the files. */
export async function openMedia({
  variants: { 'same SQL': baseline, single, distributed },
  load,
}: BenchContext): Promise<Operations> {
  // the handler stores files without any SQL
  const variants = { baseline, single, distributed };
  const paths = (name: string) => (name === 'baseline' ? '/media' : '/_cms/api/media');
  const operations: Operations = {};
  for (const [operation, size] of Object.entries(sizes)) {
    const runnables = (operations[operation] = {} as Operations[string]);
    for (const [name, variant] of Object.entries(variants))
      runnables[name] = {
        processes: variant.processes,
        run: (seconds, connections) => {
          const concurrency =
            size > mebibyte ? Math.ceil(connections / connectionsOfLargeUpload) : connections;
          return loadUploads(variant, paths(name), { size, seconds, concurrency });
        },
        clear: ({ itemIds }) => deleteItems(variant, paths(name), itemIds),
      };
  }
  const served: Operations[string] = (operations['serve 100 KB'] = {});
  for (const [name, variant] of Object.entries(variants)) {
    const { url } = await upload(variant, paths(name), servedBytes);
    // Files are public.
    const headers: Record<string, string> = name === 'baseline' ? {} : { host: variant.host };
    const next = (): NextRequest => ({ path: url });
    const label = `serve (${name})`;
    served[name] = {
      processes: variant.processes,
      run: (seconds, connections) =>
        load({ label, origin: variant.origin, headers, next, seconds, connections }),
    };
  }
  const photo = await createPhoto();
  const steps: Record<string, TimedStep> = { 'upload photo': 'upload', 'make variant': 'variant' };
  for (const [operation, timed] of Object.entries(steps)) {
    const runnables = (operations[operation] = {} as Operations[string]);
    for (const [name, variant] of Object.entries(variants)) {
      if (name === 'baseline') continue;
      runnables[name] = {
        processes: variant.processes,
        run: (seconds, connections) => {
          const concurrency = Math.ceil(connections / connectionsOfPhoto);
          return loadPhotos(variant, photo, { seconds, concurrency, timed });
        },
        clear: ({ itemIds }) => deleteItems(variant, paths(name), itemIds),
      };
    }
  }
  return operations;
}
