import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventuallyPasses } from '@quire/testing';
import { imageOf, mediaFields, richImage, UsageSite } from './support/usage-site.js';

let usageSite: UsageSite;
let id: string;
beforeAll(async () => {
  usageSite = await UsageSite.open();
  await usageSite.track();
});
afterAll(() => usageSite.close());

const becomes = (places: string[], of = id) =>
  eventuallyPasses(
    () => usageSite.places(of),
    (found) => expect(found).toEqual(places),
  );
const counts = (expected: number, of = id) =>
  eventuallyPasses(
    () => usageSite.countOf(of),
    (count) => expect(count).toBe(expected),
  );

describe('while changes are tracked, the index shows', () => {
  beforeEach(async () => {
    id = await usageSite.media();
  });

  it('an entry that is made, changed, trashed, restored and deleted for good', async () => {
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await becomes([`${entry.id} columns hero`]);
    await entry.put({ data: { hero: null, body: [richImage(id)] } });
    await entry.publish();
    await becomes([`${entry.id} columns body.0`]);
    await entry.remove();
    await counts(0);
    await entry.restore();
    await counts(1);
    await entry.remove();
    await usageSite.admin.delete(`${entry.path}/permanent`);
    await becomes([]);
    expect(await usageSite.coverage()).toBe('complete');
  });

  it('what is staged, published and dropped', async () => {
    const entry = await usageSite.entry({}, { published: true });
    await entry.put({ data: { hero: imageOf(id) } });
    await becomes([`${entry.id} draft_overlay hero`]);
    await entry.discard();
    await becomes([]);
    await entry.put({ data: { hero: imageOf(id) } });
    await entry.publish();
    await becomes([`${entry.id} columns hero`]);
  });

  it('the last of many changes, whatever came between', async () => {
    const others = await Promise.all([usageSite.media(), usageSite.media(), usageSite.media()]);
    const entry = await usageSite.entry({});
    for (let round = 0; round < 5; round += 1)
      for (const other of others) await entry.put({ data: { hero: imageOf(other) } });
    await entry.put({ data: { hero: imageOf(id) } });
    await counts(1);
    for (const other of others) expect(await usageSite.countOf(other)).toBe(0);
  });

  it('changes made directly in the database', async () => {
    const entry = await usageSite.entry({ hero: imageOf(id) });
    await counts(1);
    await usageSite.site.sql('UPDATE content_posts SET hero = NULL WHERE id = $1', [entry.id]);
    await counts(0);
  });

  it('what is left when a field is deleted', async () => {
    await usageSite.site.collection({ slug: 'withfield', fields: mediaFields });
    await usageSite.track();
    const entry = await usageSite.entry(
      { hero: imageOf(id), body: [richImage(id)] },
      { collection: 'withfield' },
    );
    await becomes([`${entry.id} columns hero`, `${entry.id} columns body.0`]);
    await usageSite.admin.delete('/schema/collections/withfield/fields/hero');
    await becomes([`${entry.id} columns body.0`]);
    await eventuallyPasses(
      () => usageSite.coverage(),
      (status) => expect(status).toBe('complete'),
    );
  });

  it('nothing of a collection that is deleted', async () => {
    await usageSite.site.collection({ slug: 'passing', fields: mediaFields });
    await usageSite.track();
    await usageSite.entry({ hero: imageOf(id) }, { collection: 'passing' });
    await counts(1);
    await usageSite.admin.delete('/schema/collections/passing?force=true');
    await counts(0);
    await eventuallyPasses(
      () => usageSite.site.sql("SELECT 1 FROM media_usage_coverage WHERE collection_slug = 'passing'"),
      (rows) => expect(rows).toEqual([]),
    );
    expect(
      await usageSite.site.sql("SELECT 1 FROM media_usage_entries WHERE collection_slug = 'passing'"),
    ).toEqual([]);
  });

  it('entries of a collection that is new, also when it is repaired at once', async () => {
    await usageSite.site.collection({ slug: 'fresh', fields: mediaFields });
    await usageSite.repair('fresh');
    const entry = await usageSite.entry({ hero: imageOf(id) }, { collection: 'fresh' });
    await becomes([`${entry.id} columns hero`]);
    await entry.put({ data: { hero: null } });
    await entry.publish();
    await becomes([]);
  });

  it('entries that are made while a repair is under way', async () => {
    const made = Array.from({ length: 20 }, () => usageSite.entry({ hero: imageOf(id) }));
    const repairs = [usageSite.repair(), usageSite.repair('posts')];
    const entries = await Promise.all(made);
    await Promise.all(repairs);
    for (const entry of entries.slice(0, 10)) {
      await entry.put({ data: { hero: null } });
      await entry.publish();
    }
    await counts(10);
    await usageSite.repair();
    expect(await usageSite.countOf(id)).toBe(10);
  });
});

describe('a message about an entry', () => {
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
  const noWorkIsLeft = () =>
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
    await counts(1, item);
    await send(entry.id, await collectionId(), 100);
    await eventuallyPasses(
      () =>
        usageSite.site.sql('SELECT 1 FROM cms_content.outbox WHERE message ->> $1 = $2', [
          'entryId',
          entry.id,
        ]),
      (rows) => expect(rows).toEqual([]),
    );
    await noWorkIsLeft();
    expect(await usageSite.places(item)).toEqual([`${entry.id} columns hero`]);
  });

  it('of an entry or a collection that never was leaves nothing behind', async () => {
    await send('01NOSUCHENTRY', await collectionId(), 3);
    await send('01NOSUCHENTRY', '01NOSUCHCOLLECTION', 3);
    await eventuallyPasses(
      () =>
        usageSite.site.sql("SELECT 1 FROM cms_content.outbox WHERE message ->> 'entryId' = '01NOSUCHENTRY'"),
      (rows) => expect(rows).toEqual([]),
    );
    await noWorkIsLeft();
    expect(await usageSite.coverage()).toBe('complete');
  });
});

describe('while changes are not tracked', () => {
  it('the first change that the index does not show makes the coverage stale, until the next repair', async () => {
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

  it('so does a field with media that is deleted', async () => {
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
