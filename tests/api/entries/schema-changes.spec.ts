import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type ApiResponse, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const expectedStatuses = [200, 201, 400, 404, 409, 503];

/** Runs jobs, at most `width` of them concurrently. */
async function pooled<Result>(width: number, jobs: (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    for (let job = jobs[next++]; job; job = jobs[next++]) results.push(await job());
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}

async function addField(collection: string, field: object): Promise<ApiResponse> {
  return admin.post(`/schema/collections/${collection}/fields`, field);
}

const unexpectedStatuses = (responses: ApiResponse[]) =>
  [...new Set(responses.map(({ status }) => status))].filter((status) => !expectedStatuses.includes(status));
const unexpectedBodies = (responses: ApiResponse[]) =>
  responses.filter(({ status }) => !expectedStatuses.includes(status)).map(({ body }) => body);

describe('schema changes racing with writes of entries', () => {
  it('return only expected statuses, and leave rows that match the schema', async () => {
    await site.collection({
      slug: 'busy',
      supports: [],
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'extra', type: 'string' },
      ],
    });
    const seeds = await pooled(
      8,
      Array.from(
        { length: 8 },
        (_, index) => () => admin.post('/content/busy', { data: { title: `Seed ${index}` } }),
      ),
    );
    const ids = seeds.map(({ data }) => data.item.id as string);
    let isWriting = true;
    const changes = (async () => {
      const created: ApiResponse[] = [];
      for (let round = 0; isWriting; round += 1) {
        await wait(20);
        created.push(await admin.delete('/schema/collections/busy/fields/extra'));
        created.push(
          await addField('busy', {
            slug: 'extra',
            label: 'Extra',
            type: round % 2 === 0 ? 'integer' : 'string',
          }),
        );
      }
      return created;
    })();
    const writes = Array.from({ length: 200 }, (_, index) => () => {
      const id = ids[index % ids.length] ?? '';
      const extra = index % 2 === 0 ? index : `text ${index}`;
      if (index % 5 === 0) return admin.post('/content/busy', { data: { title: `New ${index}`, extra } });
      if (index % 5 === 1) return admin.put(`/content/busy/${id}`, { data: { extra } });
      if (index % 5 === 2) return admin.put(`/content/busy/${id}`, { data: { title: `Changed ${index}` } });
      if (index % 5 === 3) return admin.post(`/content/busy/${id}/publish`);
      return admin.get(index % 2 === 0 ? '/content/busy?limit=5' : `/content/busy/${id}`);
    });
    const responses = await pooled(16, writes);
    isWriting = false;
    const schemaResponses = await changes;
    expect(unexpectedBodies(responses)).toEqual([]);
    expect(unexpectedStatuses(schemaResponses)).toEqual([]);
    expect(responses.filter(({ status }) => status === 200 || status === 201).length).toBeGreaterThan(60);
    await expectRowsToMatch('busy');
  });
  it('delete the values of a deleted field, also from revisions', async () => {
    await site.collection({
      slug: 'changed',
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'extra', type: 'string' },
      ],
    });
    const { item } = (await admin.post('/content/changed', { data: { title: 'K', extra: 'old' } })).data;
    const path = `/content/changed/${item.id}`;
    await admin.put(path, { data: { extra: 'staged' } });
    await admin.delete('/schema/collections/changed/fields/extra');
    expect((await admin.get(path)).data.item.data).toEqual({ title: 'K' });
    const rejected = await admin.put(path, { data: { extra: 'again' } });
    expect([rejected.status, rejected.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    await addField('changed', { slug: 'extra', label: 'Extra', type: 'integer' });
    expect((await admin.get(path)).data.item.data).toEqual({ title: 'K' });
    expect((await admin.post(`${path}/publish`)).data?.item.data).toEqual({ title: 'K' });
  });
  it('make a new field available to the next write', async () => {
    await site.collection({ slug: 'fresh' });
    await admin.post('/content/fresh', { data: { title: 'Before' } });
    for (let index = 0; index < 10; index += 1) {
      await addField('fresh', { slug: `f${index}`, label: 'F', type: 'string' });
      const { status, body } = await admin.post('/content/fresh', {
        data: { title: 'After', [`f${index}`]: 'x' },
      });
      expect([status, body]).toEqual([201, expect.anything()]);
      expect((await admin.get('/content/fresh?limit=1')).data.items[0].data).toEqual({
        title: 'After',
        [`f${index}`]: 'x',
      });
    }
  });
  it('let writes succeed or return 404 COLLECTION_NOT_FOUND while the collection is deleted', async () => {
    await site.collection({ slug: 'deleted' });
    const writes = Array.from(
      { length: 60 },
      (_, index) => () =>
        index === 30
          ? admin.delete('/schema/collections/deleted?force=true')
          : admin.post('/content/deleted', { data: { title: `D ${index}` } }),
    );
    const responses = await pooled(8, writes);
    expect(unexpectedBodies(responses)).toEqual([]);
    expect((await admin.get('/content/deleted')).error.code).toBe('COLLECTION_NOT_FOUND');
    await site.collection({ slug: 'deleted', fields: [{ slug: 'title', type: 'string' }] });
    expect((await admin.get('/content/deleted')).data).toEqual({ items: [], total: 0 });
  });
});

/** Expects that each column has the type of its field, and each returned value too. */
async function expectRowsToMatch(collection: string): Promise<void> {
  const { items: fields } = (await admin.get(`/schema/collections/${collection}/fields`)).data as {
    items: { slug: string; type: string }[];
  };
  const columns = await site.sql<{ column_name: string; data_type: string }>(
    `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1`,
    [`content_${collection}`],
  );
  const typeOf = new Map(columns.map(({ column_name, data_type }) => [column_name, data_type]));
  for (const { slug, type } of fields)
    expect([slug, typeOf.get(slug)]).toEqual([slug, type === 'integer' ? 'bigint' : 'text']);
  const { items } = (await admin.get(`/content/${collection}?limit=100`)).data as {
    items: { data: Record<string, unknown> }[];
  };
  for (const { data } of items) {
    for (const [slug, value] of Object.entries(data)) {
      const field = fields.find((one) => one.slug === slug);
      expect([slug, typeof value]).toEqual([slug, field?.type === 'integer' ? 'number' : 'string']);
    }
  }
}
