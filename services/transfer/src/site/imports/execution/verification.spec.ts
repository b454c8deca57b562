import 'reflect-metadata';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { sha256Of } from '@quire/site-package';
import { buildPackage, recordOf, useFixture } from '@quire/testing';
import { openExecutions } from './testing/executions.fixture.js';
import { sitePackage } from './testing/site-package.fixture.js';

let number = 0;
const imports = useFixture(() => openExecutions(`spec-of-verification-${number++}`), { lifetime: 'test' });
const decisions = { principalMappings: { 'p-ada': 'user-eva' } };

/** Executes an import until its records are written. */
async function written(content = sitePackage()): Promise<string> {
  const id = await imports.start(content, decisions);
  await imports.finish(id, ({ stage }) => stage === 'verify');
  return id;
}

const replaceBytes = (id: string, bytes: Buffer) =>
  imports.store.put(imports.target.objectKey(id), Readable.from([bytes]), { contentType: 'image/png' });

async function expectDifference(id: string, errorDetail: object): Promise<void> {
  expect(await imports.finish(id)).toMatchObject({
    state: 'failed',
    errorCode: 'TRANSFER_VERIFICATION_FAILED',
    errorDetail,
    attemptCount: 1,
    receipt: null,
  });
  // The site was changed: it is read-only until the import is abandoned.
  expect(imports.target.isFenced).toBe(true);
}

describe('the verification of an import', () => {
  it.each(['entries', 'menu_items', 'search_collections', 'media_items'] as const)(
    'fails for a changed record of %s',
    async (kind) => {
      const id = await written();
      const record = imports.target.sorted(kind)[2] ?? {};
      const [key = '', ...more] = kind === 'entries' ? ['collection', 'id'] : [Object.keys(record)[0] ?? ''];
      const name = [key, ...more].map((property) => String(record[property])).join('/');
      imports.target.put(kind, { ...record, extra: 'changed' });
      await expectDifference(id, { kind, id: name });
    },
  );

  it('fails for a user who is not the mapped one, though the logical digest leaves users out', async () => {
    const id = await written();
    const record = imports.target.sorted('entries')[0] ?? {};
    expect(record['authorId']).toBe('user-eva');
    imports.target.put('entries', { ...record, authorId: 'user-max' });
    await expectDifference(id, { kind: 'entries', id: 'posts/id-00' });
  });

  it('fails for a missing record, also the last one of its kind', async () => {
    const id = await written();
    imports.target.records.get('redirects')?.delete('id-02');
    await expectDifference(id, { kind: 'redirects', id: 'id-02' });
  });

  it('fails for a record that the package does not have, also of a kind without records', async () => {
    const id = await written(buildPackage({ records: { sections: [recordOf('sections', { id: 's' })] } }));
    imports.target.put('redirects', recordOf('redirects', { id: 'added' }));
    await expectDifference(id, { kind: 'redirects', id: 'added' });
  });

  it('fails for changed bytes of a media file, and names an item', async () => {
    const id = await written();
    const sha256 = sha256Of('bytes of an image');
    await replaceBytes('m-1', Buffer.from('bytes of an imagE'));
    await expectDifference(id, { kind: 'media_items', id: 'm-1', sha256 });
  });

  it('fails for a media file whose object is missing', async () => {
    const id = await written();
    const sha256 = sha256Of('bytes of a film');
    await imports.store.delete(imports.target.objectKey('m-2'));
    await expectDifference(id, { kind: 'media_items', id: 'm-2', sha256 });
  });

  it('fails for changed bytes of the second of two items with equal bytes', async () => {
    const bytes = Buffer.from('bytes of two items');
    const item = { sha256: sha256Of(bytes), size: bytes.length };
    const records = {
      media_items: ['m-1', 'm-2'].map((id) => recordOf('media_items', { id, storageKey: id, ...item })),
    };
    const id = await written(buildPackage({ media: [bytes], records }));
    await replaceBytes('m-2', Buffer.from('bytes of two itemS'));
    await expectDifference(id, { kind: 'media_items', id: 'm-2', sha256: item.sha256 });
  });

  it('begins again with new copies when a crash of the database has emptied them', async () => {
    const id = await written();
    await imports.step(id);
    expect([...imports.target.copies.keys()]).toEqual(
      ['content', 'media', 'search'].map((owner) => `${owner} ${id}-1`),
    );
    imports.target.copies.clear();
    await imports.step(id);
    expect((await imports.operation(id)).cursor).toMatchObject({ copies: 1, execution: { restarts: 1 } });
    const row = await imports.finish(id);
    expect(row).toMatchObject({ state: 'complete', cursor: { copies: 2 } });
    expect(row.receipt?.logicalDigest).toBe(sitePackage().manifest.logicalDigest);
  });
});

describe('the verification of a large media file', () => {
  const part = 16 * 1024 * 1024;
  const large = Buffer.alloc(2 * part + 5, 'film');
  const sha256 = sha256Of(large);
  const content = () =>
    buildPackage({
      media: [large],
      records: {
        media_items: [recordOf('media_items', { id: 'm', storageKey: 'm', sha256, size: large.length })],
      },
    });

  it('hashes it in parts', async () => {
    const row = await imports.finish(await written(content()));
    expect(row).toMatchObject({ state: 'complete', receipt: { counts: { media_items: 1 } } });
    expect(row.progress?.bytesDone).toBe(row.progress?.bytesTotal);
  });

  it.each([
    ['a changed last byte', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('X')])],
    ['a missing last byte', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['a further byte', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('X')])],
  ])('fails for %s', async (_, change) => {
    const id = await written(content());
    await replaceBytes('m', change(large));
    await expectDifference(id, { kind: 'media_items', id: 'm', sha256 });
  });
});
