import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { sha256Of } from '@quire/site-package';
import { useFixture } from '@quire/testing';
import { selectFile } from '../package-files/package-files.repository.js';
import { openFile } from '../package-files/stored-files.js';
import { openSiteExports } from './exports.fixture.js';
import { nextExportStep } from './steps/next-export-step.js';

let number = 0;
const exports = useFixture(() => openSiteExports(`spec-of-export-steps-${number++}`), { lifetime: 'test' });

/** Paths and hashes of the files of a package but the manifest, and the manifest's digests. */
async function contentOf(id: string) {
  const { packageDigest } = await exports.operation(id);
  const manifest = await selectFile(exports.ctx.db, id, 'manifest.json');
  if (!manifest) throw new Error('There is no manifest');
  const bytes = await (await openFile(exports.deps.store, manifest)).toArray();
  const text = Buffer.concat(bytes as Buffer[]);
  expect(packageDigest).toBe(`sha256:${sha256Of(text)}`);
  const { createdAt: _, packageId: __, ...content } = JSON.parse(text.toString()) as Record<string, unknown>;
  const files = await exports.files(id);
  return { content, files: files.map(({ path, position, sha256 }) => ({ path, position, sha256 })) };
}

/** The files and digests of an export that nothing disturbs. */
async function undisturbed() {
  const id = await exports.start();
  expect(await exports.finish(id)).toMatchObject({ state: 'complete', attemptCount: 0 });
  return contentOf(id);
}

describe('steps of an export', () => {
  it('give the same files when each is taken twice before it is recorded, as by processes that die', async () => {
    const expected = await undisturbed();
    expect(expected.files.map(({ path }) => path)).toEqual([
      'index/000001.ndjson',
      'records/principals/000001.ndjson',
      'records/settings/000001.ndjson',
      'records/collections/000001.ndjson',
      'records/search_collections/000001.ndjson',
      'records/media_items/000001.ndjson',
      'records/entries/000001.ndjson',
      'records/entries/000002.ndjson',
      expect.stringMatching(/^media\//),
    ]);
    const id = await exports.start();
    for (let row = await exports.operation(id); row.state !== 'complete'; row = await exports.operation(id)) {
      for (let death = 0; death < 2; death += 1) {
        const found = await exports.operation(id);
        await nextExportStep(found)(exports.ctx, exports.deps, found, { fencingToken: 1 });
      }
      await exports.step(id);
    }
    expect(await contentOf(id)).toEqual(expected);
  });

  it('leave no copies after the end, and the media service keeps its objects', async () => {
    const id = await exports.start();
    await exports.finish(id);
    expect([...exports.owners.copies.keys()]).toEqual([]);
    expect([...exports.owners.keptFiles]).toEqual([`${id}-1`]);
  });
});

describe('an export whose copies are lost', () => {
  it.each(['entries', 'settings', 'media_items'] as const)(
    'begins again while it writes %s, and is the same as an undisturbed one',
    async (kind) => {
      const expected = await undisturbed();
      const id = await exports.start();
      while ((await exports.operation(id)).cursor.kind !== kind) await exports.step(id);
      // A crash of the database empties unlogged tables.
      exports.owners.copies.clear();
      await exports.step(id);
      expect(await exports.operation(id)).toMatchObject({
        state: 'pending',
        stage: null,
        packageDigest: null,
        cursor: { restarts: 1 },
      });
      await exports.finish(id);
      expect(await contentOf(id)).toEqual(expected);
      expect(exports.owners.stagings).toBe(3);
    },
  );

  it('fails with TRANSFER_EXPORT_STALLED after five restarts', async () => {
    const id = await exports.start();
    exports.owners.beforeCall = ({ id: called }) => {
      if (called === 'readSiteRecords') exports.owners.copies.clear();
    };
    expect(await exports.finish(id)).toMatchObject({
      state: 'failed',
      errorCode: 'TRANSFER_EXPORT_STALLED',
      errorDetail: { reason: 'copies lost' },
    });
    expect(exports.owners.stagings).toBe(6);
  });
});

describe('an export whose files are lost', () => {
  async function untilChecked(id: string): Promise<void> {
    while ((await exports.operation(id)).stage !== 'export_validate') await exports.step(id);
  }

  it('begins again without a media file that vanished', async () => {
    const id = await exports.start();
    await untilChecked(id);
    const [gone] = exports.owners.mediaFiles.splice(0);
    await exports.deps.store.delete(gone?.objectKey ?? '');
    await exports.step(id);
    expect(await exports.operation(id)).toMatchObject({ state: 'pending', packageDigest: null });
    expect(await exports.finish(id)).toMatchObject({ state: 'complete', cursor: { restarts: 1 } });
    expect((await exports.files(id)).filter(({ path }) => path.startsWith('media/'))).toEqual([]);
  });

  it('begins again when a file with records is missing, and is whole then', async () => {
    const expected = await undisturbed();
    const id = await exports.start();
    await untilChecked(id);
    const lost = (await exports.files(id)).find(({ path }) => path === 'records/entries/000002.ndjson');
    await exports.deps.store.delete(lost?.objectKey ?? '');
    expect(await exports.finish(id)).toMatchObject({ state: 'complete', cursor: { restarts: 1 } });
    expect(await contentOf(id)).toEqual(expected);
  });
});
