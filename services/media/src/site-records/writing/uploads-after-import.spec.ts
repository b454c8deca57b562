import 'reflect-metadata';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { fingerprintStream } from '@quire/object-store';
import { useFixture } from '@quire/testing';
import { ulid } from '@quire/values';
import { ImageInspector } from '../../images/index.js';
import { deleteMedia } from '../../items/index.js';
import { createItemsOfObjects, reserveObjects, StorageQuota, UploadDeps } from '../../uploads/index.js';
import { clearSiteRecords } from './clear-site-records.js';
import { openSiteMedia } from './site-media.fixture.js';

const site = useFixture(() => openSiteMedia('spec-of-uploads-after-import'), { lifetime: 'test' });
const known = '%PDF-1.4\nof the package';

/** Stores bytes as a new object and makes an item of it, as uploads do. */
async function upload(text: string): Promise<{ id: string; isNew: boolean }> {
  // A document has no image to inspect.
  const images = new ImageInspector(undefined as never);
  const deps = new UploadDeps(
    site.objects,
    images,
    undefined as never,
    1_000,
    site.notifier,
    new StorageQuota(),
  );
  const [objectKey = ''] = (await reserveObjects(site.target, deps, 1)).objectKeys;
  const hashes = await fingerprintOf(text);
  await site.store.put(objectKey, Readable.from([Buffer.from(text)]), { contentType: 'application/pdf' });
  const object = { id: ulid(), objectKey, declaredTypes: [], filename: 'a.pdf', alt: null, caption: null };
  const sample = Buffer.from(text).toString('base64');
  const { results } = await createItemsOfObjects(site.target, deps, {
    objects: [{ ...object, ...hashes, sample, authorId: 'author' }],
  });
  const [result] = results;
  if (!result || 'error' in result) throw new Error('Not stored');
  return { id: result.id, isNew: result.isNew };
}

async function fingerprintOf(text: string) {
  const { bytes, fingerprint } = fingerprintStream(Readable.from([Buffer.from(text)]), { sampleBytes: 10 });
  await bytes.resume().toArray();
  const { size, sha256, xxh64 } = fingerprint();
  return { size, sha256, xxh64 };
}

let importedId: string;
beforeEach(async () => {
  const { xxh64: contentHash } = await fingerprintOf(known);
  importedId = await site.addItem(known, { mimeType: 'application/pdf', contentHash });
  await site.write('media_items', await site.recordsOf(site.source, 'media_items'));
});

describe('a file that is uploaded after an import', () => {
  it('is the imported item when it has the same bytes', async () => {
    expect(await upload(known)).toEqual({ id: importedId, isNew: false });
    expect(await site.objectKeys()).toHaveLength(1);
  });

  it('is a new item when it has other bytes, which can be deleted', async () => {
    const { id, isNew } = await upload('%PDF-1.4\nanother one');
    expect([isNew, (await site.items()).map((item) => item.id)]).toEqual([true, [importedId, id]]);
    await deleteMedia(site.target, { objects: site.objects, notifier: site.notifier }, id);
    const [item] = await site.items();
    expect(await site.objectKeys()).toEqual([item?.objectKey]);
  });

  it('is a new item when the imported ones were cleared', async () => {
    await clearSiteRecords(site.target, site.notifier);
    const { id, isNew } = await upload(known);
    await site.deleteScheduled();
    const [item] = await site.items();
    expect([isNew, item?.id, await site.objectKeys()]).toEqual([true, id, [item?.objectKey]]);
    expect(await site.textOf(item?.objectKey ?? '')).toBe(known);
  });
});
