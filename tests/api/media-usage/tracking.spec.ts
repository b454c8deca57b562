import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses } from '@quire/testing';
import { imageOf, mediaFields, richImage, UsageSite, useUsageSite } from './support.js';

const usageSite = useUsageSite();
let id: string;
beforeAll(async () => {
  await usageSite.track();
});

const expectOccurrences = (occurrences: string[], of = id) =>
  eventuallyPasses(
    () => usageSite.occurrences(of),
    (found) => expect(found).toEqual(occurrences),
  );
const expectCount = (expected: number, of = id) =>
  eventuallyPasses(
    () => usageSite.countOf(of),
    (count) => expect(count).toBe(expected),
  );

describe('the media usage index with tracking contains', () => {
  beforeEach(async () => {
    id = await usageSite.media();
  });

  it('an entry that is created, updated, trashed, restored and permanently deleted', async () => {
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await expectOccurrences([`${entry.id} columns hero`]);
    await entry.put({ data: { hero: null, body: [richImage(id)] } });
    await entry.publish();
    await expectOccurrences([`${entry.id} columns body.0`]);
    await entry.remove();
    await expectCount(0);
    await entry.restore();
    await expectCount(1);
    await entry.remove();
    await usageSite.admin.delete(`${entry.path}/permanent`);
    await expectOccurrences([]);
    expect(await usageSite.coverage()).toBe('complete');
  });

  it('staged, published and discarded values', async () => {
    const entry = await usageSite.entry({}, { published: true });
    await entry.put({ data: { hero: imageOf(id) } });
    await expectOccurrences([`${entry.id} draft_overlay hero`]);
    await entry.discard();
    await expectOccurrences([]);
    await entry.put({ data: { hero: imageOf(id) } });
    await entry.publish();
    await expectOccurrences([`${entry.id} columns hero`]);
  });

  it('the last of many changes', async () => {
    const others = await Promise.all([usageSite.media(), usageSite.media(), usageSite.media()]);
    const entry = await usageSite.entry({});
    for (let round = 0; round < 5; round += 1)
      for (const other of others) await entry.put({ data: { hero: imageOf(other) } });
    await entry.put({ data: { hero: imageOf(id) } });
    await expectCount(1);
    for (const other of others) expect(await usageSite.countOf(other)).toBe(0);
  });

  it('changes made directly in the database', async () => {
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await expectCount(1);
    await usageSite.site.sql('UPDATE content_posts SET hero = NULL WHERE id = $1', [entry.id]);
    await expectCount(0);
  });

  it('the remaining occurrences after the deletion of a field', async () => {
    await usageSite.site.collection({ slug: 'withfield', fields: mediaFields });
    await usageSite.track();
    const entry = await usageSite.entry(
      { hero: imageOf(id), body: [richImage(id)] },
      { collection: 'withfield' },
    );
    await expectOccurrences([`${entry.id} columns hero`, `${entry.id} columns body.0`]);
    await usageSite.admin.delete('/schema/collections/withfield/fields/hero');
    await expectOccurrences([`${entry.id} columns body.0`]);
    await eventuallyPasses(
      () => usageSite.coverage(),
      (status) => expect(status).toBe('complete'),
    );
  });

  it('nothing of a deleted collection', async () => {
    await usageSite.site.collection({ slug: 'deleted', fields: mediaFields });
    await usageSite.track();
    await usageSite.entry({ hero: imageOf(id) }, { collection: 'deleted' });
    await expectCount(1);
    await usageSite.admin.delete('/schema/collections/deleted?force=true');
    await expectCount(0);
    await eventuallyPasses(
      () => usageSite.site.sql("SELECT 1 FROM media_usage_coverage WHERE collection_slug = 'deleted'"),
      (rows) => expect(rows).toEqual([]),
    );
    expect(
      await usageSite.site.sql("SELECT 1 FROM media_usage_entries WHERE collection_slug = 'deleted'"),
    ).toEqual([]);
  });

  it('entries of a new collection, also when it is repaired at once', async () => {
    await usageSite.site.collection({ slug: 'fresh', fields: mediaFields });
    await usageSite.repair('fresh');
    const entry = await usageSite.entry({ hero: imageOf(id) }, { collection: 'fresh' });
    await expectOccurrences([`${entry.id} columns hero`]);
    await entry.put({ data: { hero: null } });
    await entry.publish();
    await expectOccurrences([]);
  });

  it('entries that are created during a repair', async () => {
    const created = Array.from({ length: 20 }, () => usageSite.entry({ hero: imageOf(id) }));
    const repairs = [usageSite.repair(), usageSite.repair('posts')];
    const entries = await Promise.all(created);
    await Promise.all(repairs);
    for (const entry of entries.slice(0, 10)) {
      await entry.put({ data: { hero: null } });
      await entry.publish();
    }
    await expectCount(10);
    await usageSite.repair();
    expect(await usageSite.countOf(id)).toBe(10);
  });
});

describe('the job index-media-usage', () => {
  const send = (entryId: string, collectionId: string, times: number) =>
    usageSite.site.sql(
      `INSERT INTO cms_content.outbox (id, job, message)
       SELECT cms_content.message_id(), 'media-usage.index-entry', json_build_object('tenantId', $1::text, 'collectionId', $2::text,
         'collection', 'posts', 'entryId', $3::text) FROM generate_series(1, $4)`,
      [usageSite.site.tenant, collectionId, entryId, times],
    );
  const collectionId = async () =>
    (await usageSite.site.sql<{ id: string }>("SELECT id FROM collections WHERE slug = 'posts'"))[0]?.id ??
    '';
  const waitUntilNoWork = () =>
    eventuallyPasses(
      () =>
        usageSite.site.sql('SELECT 1 FROM cms_media.usage_work WHERE tenant_id = $1', [
          usageSite.site.tenant,
        ]),
      (rows) => expect(rows).toEqual([]),
    );

  it('is idempotent', async () => {
    const item = await usageSite.media();
    const entry = await usageSite.entry({ hero: imageOf(item) });
    await expectCount(1, item);
    await send(entry.id, await collectionId(), 100);
    await eventuallyPasses(
      () =>
        usageSite.site.sql('SELECT 1 FROM cms_content.outbox WHERE message ->> $1 = $2', [
          'entryId',
          entry.id,
        ]),
      (rows) => expect(rows).toEqual([]),
    );
    await waitUntilNoWork();
    expect(await usageSite.occurrences(item)).toEqual([`${entry.id} columns hero`]);
  });

  it('stores nothing for an unknown entry or collection', async () => {
    await send('01NOSUCHENTRY', await collectionId(), 3);
    await send('01NOSUCHENTRY', '01NOSUCHCOLLECTION', 3);
    await eventuallyPasses(
      () =>
        usageSite.site.sql("SELECT 1 FROM cms_content.outbox WHERE message ->> 'entryId' = '01NOSUCHENTRY'"),
      (rows) => expect(rows).toEqual([]),
    );
    await waitUntilNoWork();
    expect(await usageSite.coverage()).toBe('complete');
  });
});

describe('the media usage index without tracking', () => {
  it('has stale coverage after a change, until the next repair', async () => {
    const own = await UsageSite.open();
    const item = await own.media();
    const entry = await own.entry({ hero: imageOf(item) });
    await own.repair();
    expect(await own.coverage()).toBe('complete');
    await entry.put({ data: { hero: null } });
    await entry.publish();
    await eventuallyPasses(
      () => own.coverage(),
      (status) => expect(status).toBe('stale'),
    );
    expect(await own.countOf(item)).toBe(1);
    expect(await own.repair()).toMatchObject({ status: 'complete' });
    expect([await own.countOf(item), await own.coverage()]).toEqual([0, 'complete']);
    await own.close();
  });

  it('has stale coverage after the deletion of a media field', async () => {
    const own = await UsageSite.open();
    await own.entry({ hero: imageOf(await own.media()) });
    await own.repair();
    await own.admin.delete('/schema/collections/posts/fields/hero');
    await eventuallyPasses(
      () => own.coverage(),
      (status) => expect(status).toBe('stale'),
    );
    await own.close();
  });
});
