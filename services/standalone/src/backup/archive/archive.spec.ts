import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@quire/config';
import { ArchiveReader } from './archive-reader.js';
import { ArchiveWriter } from './archive-writer.js';

let folder: string;
let path: string;
const large = Buffer.alloc(5 * 1024 * 1024, 'row\n');

async function* pieces(count: number, piece: Buffer): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number += 1) yield await Promise.resolve(piece);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-archive-'));
  path = join(folder, 'whole.tar.gz');
  const archive = new ArchiveWriter(createWriteStream(path));
  await archive.addJson('first.json', { a: 1 });
  await archive.addPieces('rows/0/posts', pieces(3, large));
  await archive.addPieces('rows/0/empty', pieces(0, large));
  await archive.addStream('objects/one', 3, Readable.from([Buffer.from('abc')]));
  await archive.finish();
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads all entries. @returns their names and sizes */
async function readAll(file: string): Promise<[string, number][]> {
  const reader = new ArchiveReader(file);
  const entries: [string, number][] = [];
  try {
    for (let entry = await reader.next(); entry; entry = await reader.next())
      entries.push([entry.name, entry.size]);
    return entries;
  } finally {
    await reader.close();
  }
}

/** A copy of the archive with other bytes. */
async function changed(name: string, change: (tar: Buffer) => Buffer): Promise<string> {
  const copy = join(folder, name);
  await writeFile(copy, gzipSync(change(gunzipSync(await readFile(path)))));
  return copy;
}

describe('an archive', () => {
  it('has the entries in their order, bytes of unknown number in parts', async () => {
    expect(await readAll(path)).toEqual([
      ['first.json', 13],
      ['rows/0/posts/000001', large.length],
      ['rows/0/posts/000002', large.length],
      ['rows/0/posts/000003', large.length],
      ['objects/one', 3],
    ]);
  });

  it('returns the parts as they were', async () => {
    const reader = new ArchiveReader(path);
    expect(await reader.nextJson('first.json')).toEqual({ a: 1 });
    let size = 0;
    for await (const piece of reader.bytesBelow('rows/0/posts/')) size += piece.length;
    expect(size).toBe(3 * large.length);
    const object = await reader.next();
    expect(await Readable.from(object?.bytes ?? []).toArray()).toEqual([Buffer.from('abc')]);
    expect(await reader.next()).toBeUndefined();
    await reader.close();
  });

  it('that was changed is rejected', async () => {
    const file = await changed('changed', (tar) => {
      tar[tar.indexOf('abc')] = 'x'.charCodeAt(0);
      return tar;
    });
    await expect(readAll(file)).rejects.toThrow(/is not a usable backup: its contents were changed/);
  });

  it.each([0.1, 0.5, 0.99])('that ends after %d of its bytes is rejected', async (part) => {
    const bytes = await readFile(path);
    const cut = join(folder, 'cut');
    await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length * part)));
    await expect(readAll(cut)).rejects.toThrow(ConfigurationError);
  });

  it('without its last entries is rejected', async () => {
    const file = await changed('short', (tar) =>
      Buffer.concat([tar.subarray(0, tar.indexOf('end.json')), Buffer.alloc(1024)]),
    );
    await expect(readAll(file)).rejects.toThrow(/is not a usable backup: it is not whole/);
  });

  it.each([
    ['that is missing', () => Promise.resolve(join(folder, 'none')), 'there is no such file'],
    [
      'of another kind',
      () => writeFile(join(folder, 'text'), 'text').then(() => join(folder, 'text')),
      'header',
    ],
  ])('%s is rejected', async (_, fileOf, message) => {
    await expect(readAll(await fileOf())).rejects.toThrow(message);
  });

  it('reports the failure of its target, and of the source of an entry', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left')) });
    const onFull = new ArchiveWriter(full);
    await expect(onFull.addPieces('rows', pieces(9, large)).then(() => onFull.finish())).rejects.toThrow(
      'no space left',
    );
    const broken = new ArchiveWriter(new Writable({ write: (_chunk, _encoding, done) => done() }));
    const source = new Readable({ read: () => source.destroy(new Error('the source failed')) });
    await expect(broken.addStream('objects/one', 3, source)).rejects.toThrow('the source failed');
  });
});
