import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ObjectStoreFull, ObjectStoreUnavailable } from '@quire/object-store';
import { testS3, useFixture } from '@quire/testing';
import { deleteMedia } from '../../items/index.js';
import { copyMediaObjects, type MediaItemRecord } from './copy-media-objects.js';
import { openSiteMedia } from './site-media.fixture.js';

describe.each([
  ['folder', () => undefined],
  ['s3', () => testS3()],
])('records of media in a store of the kind %s', (kind, server) => {
  const site = useFixture(() => openSiteMedia(`spec-of-writing-${kind}`, server()), { lifetime: 'test' });

  it('of a site are those of the other one after they are written, with the same bytes', async () => {
    const folderId = await site.addFolder('Ferien');
    await site.addFolder('empty');
    const ids = [
      await site.addItem('one', { folderId }),
      await site.addItem('two', { alt: null, width: null, height: null, blurhash: null }),
      await site.addItem('', { authorId: null, contentHash: null }),
    ];
    for (const each of ['media_folders', 'media_items'] as const)
      await site.write(each, await site.recordsOf(site.source, each));
    for (const each of ['media_folders', 'media_items'] as const)
      expect(await site.recordsOf(site.target, each)).toEqual(await site.recordsOf(site.source, each));
    const items = await site.items();
    expect(items.map(({ id }) => id)).toEqual(ids);
    const texts = await Promise.all(items.map(({ objectKey }) => site.textOf(objectKey)));
    expect(texts).toEqual(['one', 'two', '']);
    expect(await site.scheduled()).toEqual([]);
    expect(await site.objectKeys()).toEqual(items.map(({ objectKey }) => objectKey).sort());
  });

  it('get an object of their own each, also with equal bytes: one is deleted without the other', async () => {
    const [first, second] = [await site.addItem('same'), await site.addItem('same')];
    await site.write('media_items', await site.recordsOf(site.source, 'media_items'));
    await deleteMedia(site.target, { objects: site.objects, notifier: site.notifier }, first);
    const [left, ...more] = await site.items();
    expect([left?.id, more]).toEqual([second, []]);
    expect(await site.objectKeys()).toEqual([left?.objectKey]);
    expect(await site.textOf(left?.objectKey ?? '')).toBe('same');
  });

  it('name a file that the store lacks: the error names its hash, and nothing stays but whole items', async () => {
    for (let number = 0; number < 20; number += 1) await site.addItem(`item ${number}`);
    const records = await site.recordsOf(site.source, 'media_items');
    const { sha256 } = JSON.parse(records[18] ?? '') as MediaItemRecord;
    await site.store.delete(`${site.mediaPrefix}${sha256}`);
    await expect(site.write('media_items', records)).rejects.toMatchObject({
      code: 'TRANSFER_STORAGE_ERROR',
      message: expect.stringContaining(sha256),
      details: { sha256 },
    });
    const items = await site.items();
    expect(items).toHaveLength(16);
    await site.deleteScheduled();
    expect(await site.objectKeys()).toEqual(items.map(({ objectKey }) => objectKey).sort());
  });
});

describe('writeMediaItems', () => {
  const site = useFixture(() => openSiteMedia('spec-of-writing'), { lifetime: 'test' });
  const copies: string[] = [];
  afterEach(() => void copies.splice(0));
  const records = () => site.recordsOf(site.source, 'media_items');
  const writeAll = async () => site.write('media_items', await records());

  it('copies no object of an item that exists', async () => {
    await site.addItem('one');
    site.beforeCopy = (from) => copies.push(from);
    await writeAll();
    const before = await site.items();
    await site.addItem('two');
    await site.target.db.query(`UPDATE media_items SET caption = 'own'`);
    await writeAll();
    await writeAll();
    expect(copies).toHaveLength(2);
    expect(await site.items()).toEqual([...before, expect.anything()]);
    expect(await site.target.db.query(`SELECT 1 FROM media_items WHERE caption = 'own'`)).toHaveLength(1);
    expect(await site.objectKeys()).toHaveLength(2);
  });

  it('leaves no object behind when the process dies between the copies and the items', async () => {
    await site.addItem('one');
    const items = (await records()).map((text) => JSON.parse(text) as MediaItemRecord);
    const [copied] = await copyMediaObjects(site.target, site.objects, items, site.mediaPrefix);
    expect(await site.scheduled()).toEqual([copied?.objectKey]);
    await writeAll();
    await site.deleteScheduled();
    const [item] = await site.items();
    expect(await site.objectKeys()).toEqual([item?.objectKey]);
  });

  it('writes each item once when two processes write the same ones', async () => {
    for (let number = 0; number < 5; number += 1) await site.addItem(`item ${number}`);
    const texts = await records();
    await Promise.all([site.write('media_items', texts), site.write('media_items', texts)]);
    const items = await site.items();
    expect(items).toHaveLength(5);
    await site.deleteScheduled();
    expect(await site.objectKeys()).toEqual(items.map(({ objectKey }) => objectKey).sort());
  });

  it.each([
    [new ObjectStoreFull(new Error('ENOSPC')), 'STORAGE_QUOTA_EXCEEDED'],
    [new ObjectStoreUnavailable(new Error('ECONNREFUSED')), 'SERVICE_UNAVAILABLE'],
  ])('continues after %s', async (error, code) => {
    for (let number = 0; number < 20; number += 1) await site.addItem(`item ${number}`);
    let count = 0;
    site.beforeCopy = () => {
      count += 1;
      if (count > 17) throw error;
    };
    await expect(writeAll()).rejects.toMatchObject({ code });
    expect(await site.items()).toHaveLength(16);
    site.beforeCopy = () => undefined;
    await writeAll();
    await site.deleteScheduled();
    expect([(await site.items()).length, (await site.objectKeys()).length]).toEqual([20, 20]);
  });

  it.each([
    ['a size that the bytes do not have', { size: 4 }],
    ['a type that no header can have', { mimeType: 'text/html\r\nX: y' }],
    ['a storage key with a path', { storageKey: '../../admin' }],
    ['a storage key with a query', { storageKey: 'a.png?x' }],
  ])('rejects an item with %s', async (_, change) => {
    const id = await site.addItem('one');
    const [text = ''] = await records();
    const changed = JSON.stringify({ ...(JSON.parse(text) as object), ...change });
    await expect(site.write('media_items', [changed])).rejects.toMatchObject({
      code: 'TRANSFER_RECORD_INVALID',
      details: { kind: 'media_items', key: id },
    });
    expect(await site.items()).toEqual([]);
  });

  it('rejects a prefix of another site', async () => {
    await site.addItem('one');
    const texts = await records();
    const { mediaPrefix } = site;
    site.mediaPrefix = `other/${mediaPrefix}`;
    await expect(site.write('media_items', texts)).rejects.toMatchObject({ code: 'INVALID_STORAGE_KEY' });
  });
});
