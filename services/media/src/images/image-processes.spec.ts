import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ImageProcesses } from './image-processes.js';
import { ImageInspector } from './image-inspector.js';
import { ImageTransformer } from './image-transformer.js';

/** A program that hangs for some files after it has sent their dimensions. */
const program = `
let received = '';
process.stdin.on('data', (chunk) => (received += chunk));
process.on('message', async ({ task: { name }, byteLength }) => {
  while (received.length < byteLength) await new Promise(setImmediate);
  const file = Buffer.from(received);
  received = '';
  const part = name === 'read' ? { width: 3, height: 2 } : { bytes: file };
  if (String(file) === 'endless' && name === 'render') for (;;);
  process.send({ part });
  if (String(file) === 'endless') for (;;);
  process.send({ end: true });
});
process.send({ end: true });
`;

let folder: string;
let processes: ImageProcesses;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-images-'));
  const path = join(folder, 'program.mjs');
  await writeFile(path, program);
  const timeoutsMs = { read: 2_000, render: 2_000 };
  processes = new ImageProcesses({ warn: () => undefined }, { program: pathToFileURL(path), timeoutsMs });
});
afterAll(async () => {
  await processes.close();
  await rm(folder, { recursive: true });
});

const source = (text: string) => ({
  mimeType: 'image/png',
  size: 7,
  open: () => Promise.resolve(Readable.from([Buffer.from(text)])),
});
const found = { width: 3, height: 2, isRotated: false, blurhash: null, dominantColor: null };
const spec = { width: 64, format: 'webp', quality: 75 } as const;

it('inspects an upload of one tenant while an image of another one hangs until its timeout', async () => {
  const reader = new ImageInspector(processes);
  const ends: string[] = [];
  const read = async (tenantId: string, text: string) => {
    const image = await reader.read(tenantId, source(text));
    ends.push(`${tenantId} ${text}`);
    return image;
  };
  const slow = [read('one', 'endless'), read('one', 'endless')];
  expect(await read('another', 'short')).toEqual(found);
  expect(ends).toEqual(['another short']);
  expect(await Promise.all(slow)).toEqual([found, found]);
});

it('renders a variant of one tenant while those of another one hang until their timeout', async () => {
  const transformer = new ImageTransformer(processes);
  const slow = Array.from({ length: 3 }, () => transformer.make('one', source('endless'), spec));
  const quick = transformer.make('another', source('short'), spec);
  expect(await Promise.race([...slow, quick])).toEqual(Buffer.from('short'));
  expect(await Promise.all(slow)).toEqual(['failed', 'failed', 'failed']);
});
