import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysOf, manyBytes, put, read } from '../conformance/bytes.js';
import { objectStoreConformance } from '../conformance/object-store.conformance.js';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { createLocalStore } from './local-store.js';

let work: string;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'quire-media-'));
});
afterAll(() => rm(work, { recursive: true, force: true }));

objectStoreConformance('in a folder', {
  open: () => createLocalStore({ folder: join(work, 'media') }),
  severalParts: 12 * 1024 * 1024,
});

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('createLocalStore', () => {
  it('creates a folder that only its owner can read', async () => {
    const folder = join(work, 'private');
    const store = await createLocalStore({ folder });
    await put(store, 'site/name', 'text');
    await store.copy('site/name', 'site/copy');
    for (const path of await filesIn(folder)) expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'site'))).mode & 0o777).toBe(0o700);
  });

  it('leaves no unfinished file after a failure', async () => {
    const folder = join(work, 'failures');
    const store = await createLocalStore({ folder });
    const options = { contentType: 'text/plain', maxBytes: 1000 };
    await expect(store.put('site/name', Readable.from(manyBytes(2000)), options)).rejects.toThrow();
    expect(await filesIn(folder)).toEqual([]);
  });

  it('deletes unfinished files that are a day old at the start, and nothing else', async () => {
    const folder = join(work, 'leftovers');
    const store = await createLocalStore({ folder });
    await put(store, 'site/kept', 'text');
    const unfinished = (name: string) => join(folder, '.unfinished', name);
    for (const name of ['old', 'young']) await writeFile(unfinished(name), 'half');
    const dayAgo = Date.now() / 1000 - 25 * 60 * 60;
    await utimes(unfinished('old'), dayAgo, dayAgo);
    const again = await createLocalStore({ folder });
    expect(await readdir(join(folder, '.unfinished'))).toEqual(['young']);
    expect(await read(again, 'site/kept')).toBe('text');
    expect(await keysOf(again, 'site/')).toEqual(['site/kept']);
  });

  it('spreads objects over folders', async () => {
    const folder = join(work, 'many');
    const store = await createLocalStore({ folder });
    for (let number = 0; number < 50; number += 1) await put(store, `site/n${number}`, 'x');
    expect((await readdir(join(folder, 'site'))).length).toBeGreaterThan(10);
  });

  it('throws when a file has the path of the folder', async () => {
    const path = join(work, 'file');
    await writeFile(path, 'no folder');
    await expect(createLocalStore({ folder: path })).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('rejects ping after the folder was deleted', async () => {
    const folder = join(work, 'vanished');
    const store = await createLocalStore({ folder });
    await rm(folder, { recursive: true });
    await expect(store.ping()).rejects.toThrow(ObjectStoreUnavailable);
    await expect(put(store, 'site/name', 'text')).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('returns no address for uploads by clients', async () => {
    const store = await createLocalStore({ folder: join(work, 'signing') });
    const constraints = { contentType: 'text/plain', size: 1, expiresSeconds: 60 };
    expect(await store.signUpload('site/name', constraints)).toBeUndefined();
  });
});
