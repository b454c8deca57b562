import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { packageLimits } from '@quire/site-package';
import { errorOf } from '../imports.fixture.js';
import { readIndexLines, type IndexLine } from './index-lines.js';

const sha256 = 'ab'.repeat(32);
const index = { path: 'index/000002.ndjson', number: 2 };
const records = { path: 'records/menus/000001.ndjson', bytes: 10, sha256 };
const media = { path: `media/${sha256}`, bytes: 0, sha256 };

async function read(...chunks: Buffer[]): Promise<IndexLine[]> {
  const lines: IndexLine[] = [];
  for await (const batch of readIndexLines(Readable.from(chunks), index)) lines.push(...batch);
  return lines;
}
const textOf = (...lines: unknown[]) =>
  Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));

describe('readIndexLines', () => {
  it('returns the files with places in the order of the archive', async () => {
    const last = { ...records, path: 'records/redirects/999999.ndjson' };
    const lines = await read(textOf(media, records, last));
    expect(lines.map(({ position: _, ...line }) => line)).toEqual([
      { ...media, line: 1 },
      { ...records, line: 2 },
      { ...last, line: 3 },
    ]);
    const [ofMedia, ofMenus, ofRedirects] = lines.map(({ position }) => position) as [number, number, number];
    expect([ofMenus < ofRedirects, ofRedirects < ofMedia]).toEqual([true, true]);
  });

  it('reads lines in any division into chunks, also the last one without its line feed', async () => {
    const bytes = textOf(records, media);
    const whole = await read(bytes);
    for (const size of [1, 7, 64])
      expect(
        await read(
          ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) =>
            bytes.subarray(part * size, (part + 1) * size),
          ),
        ),
      ).toEqual(whole);
    expect(await read(bytes.subarray(0, -1))).toEqual(whole);
  });

  it.each<[string, unknown]>([
    ['an empty line', ''],
    ['no JSON', '{'],
    ['a byte order mark', `\ufeff${JSON.stringify(records)}`],
    ['two objects', `${JSON.stringify(records)} ${JSON.stringify(records)}`],
    ['no object', []],
    ['a further property', { ...records, mode: 1 }],
    ['no hash', { path: records.path, bytes: 1 }],
    ['a negative size', { ...records, bytes: -1 }],
    ['a fraction', { ...records, bytes: 1.5 }],
    ['a size beyond 2^53', `{"path":"${media.path}","bytes":1e300,"sha256":"${sha256}"}`],
    ['an index file', { ...records, path: 'index/000001.ndjson' }],
    ['the manifest', { ...records, path: 'manifest.json' }],
    ['a path above the package', { ...records, path: 'records/menus/../../../000001.ndjson' }],
    ['an unknown kind', { ...records, path: 'records/users/000001.ndjson' }],
    ['the number 0', { ...records, path: 'records/menus/000000.ndjson' }],
    ['records without bytes', { ...records, bytes: 0 }],
    ['media with the hash of other bytes', { ...media, sha256: 'cd'.repeat(32) }],
    ['a long line', `${' '.repeat(5_000)}${JSON.stringify(records)}`],
  ])('rejects %s with the number of the line', async (_, line) => {
    expect(await errorOf(read(textOf(records, line, media)))).toEqual({
      code: 'TRANSFER_MANIFEST_INVALID',
      details: { path: index.path, line: 2 },
    });
  });

  it('rejects a file that is one line', async () => {
    const chunks = Array.from({ length: 100 }, () => Buffer.alloc(1024, '['));
    expect((await errorOf(read(...chunks))).code).toBe('TRANSFER_MANIFEST_INVALID');
  });

  it.each<['chunkBytes' | 'maxBlobBytes', object]>([
    ['chunkBytes', records],
    ['maxBlobBytes', media],
  ])('rejects a file above the limit %s', async (limit, file) => {
    const max = packageLimits[limit];
    expect(await read(textOf({ ...file, bytes: max }))).toHaveLength(1);
    const details = { limit, max };
    expect(await errorOf(read(textOf({ ...file, bytes: max + 1 })))).toEqual({
      code: 'TRANSFER_LIMIT_EXCEEDED',
      details,
    });
  });
});
