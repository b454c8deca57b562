import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  createSiteTable,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let ann: Client;
let ben: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  [ann, ben] = [await site.another('editor', 'ann'), await site.another('editor', 'ben')];
  await site.collection();
  await site.collection({ slug: 'plain', supports: [] });
  await site.collection({
    slug: 'shared',
    supports: [],
    fields: [
      { slug: 'title', type: 'string' },
      { slug: 'code', type: 'string', translatable: false },
    ],
  });
});

const idOf = async (client: Client) => (await client.get('/auth/me')).data.id as string;
const detailsOf = ({ error }: ApiResponse) =>
  error.details as { editedBy: { id: string; name: string }; editedAt: string };

describe.each(['posts', 'plain'])('a stale _rev of an entry of the collection %s', (collection) => {
  it('returns 409 CONFLICT with user and time of the last change', async () => {
    const entry = await createEntry(admin, collection);
    const { _rev } = await entry.get();
    const before = Date.now();
    expect((await ann.put(entry.path, { data: { body: 'ann' }, _rev })).status).toBe(200);
    const rejected = await ben.put(entry.path, { data: { body: 'ben' }, _rev });
    expect(statusAndCode(rejected)).toEqual([409, 'CONFLICT']);
    expect(detailsOf(rejected)).toEqual({
      editedBy: { id: await idOf(ann), name: expect.stringContaining('ann') },
      editedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
    });
    const editedAt = Date.parse(detailsOf(rejected).editedAt);
    expect(editedAt).toBeGreaterThanOrEqual(before - 1_000);
    expect(editedAt).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('names the user who published the entry, not its author', async () => {
    const entry = await createEntry(ann, collection);
    const { _rev } = await entry.get();
    await ben.post(`${entry.path}/publish`);
    for (const [path, body] of [
      ['publish', {}],
      ['unpublish', {}],
      ['schedule', { scheduledAt: '2099-01-01T00:00:00.000Z' }],
      ['discard-draft', {}],
    ] as const) {
      const rejected = await ann.post(`${entry.path}/${path}`, { ...body, _rev });
      expect([path, ...statusAndCode(rejected)]).toEqual([path, 409, 'CONFLICT']);
      expect(detailsOf(rejected).editedBy.id).toBe(await idOf(ben));
    }
  });

  it('names the creator of an unchanged entry', async () => {
    const entry = await createEntry(ann, collection);
    const rejected = await ben.put(entry.path, { data: { body: 'x' }, _rev: 'nonsense' });
    expect([...statusAndCode(rejected), detailsOf(rejected).editedBy.id]).toEqual([
      409,
      'CONFLICT',
      await idOf(ann),
    ]);
  });
});

describe('details of a stale _rev', () => {
  it('name the user who changed an untranslatable field of another translation', async () => {
    const entry = await createEntry(ann, 'shared', { body: undefined, code: 'A' });
    const german = await createEntry(
      ann,
      'shared',
      { body: undefined },
      { locale: 'de', translationOf: entry.id },
    );
    const { _rev } = await german.get();
    await ben.put(entry.path, { data: { code: 'B' } });
    const rejected = await ann.put(german.path, { data: { title: 'x' }, _rev });
    expect([...statusAndCode(rejected), detailsOf(rejected).editedBy.id]).toEqual([
      409,
      'CONFLICT',
      await idOf(ben),
    ]);
  });

  it('are omitted for callers who may not edit the entry', async () => {
    const entry = await createEntry(ann);
    const author = await site.as('author');
    const rejected = await author.put(entry.path, { data: { body: 'x' }, _rev: 'nonsense' });
    expect([...statusAndCode(rejected), rejected.error.details]).toEqual([403, 'FORBIDDEN', undefined]);
  });

  it('have no user for an entry of a registered orphaned table until it is changed', async () => {
    const columns = `id text, slug text, status text, author_id text, primary_byline_id text,
      created_at timestamptz, updated_at timestamptz, published_at timestamptz, scheduled_at timestamptz,
      deleted_at timestamptz, version integer, live_revision_id text, draft_revision_id text, _locale text,
      _translation_group text, _seo json, title text`;
    await createSiteTable(site, 'content_old', columns);
    await site.sql(`INSERT INTO content_old (id, status, created_at, updated_at, version, _locale, _translation_group)
      VALUES ('01HV0000000000000000000000', 'draft', '2020-01-01', '2020-01-02', 1, 'en', '01HV0000000000000000000000')`);
    expect((await admin.post('/schema/orphans/old')).status).toBe(201);
    const path = '/content/old/01HV0000000000000000000000';
    const stale = { data: { title: 'x' }, _rev: 'nonsense' };
    expect((await ben.put(path, stale)).error.details).toEqual({
      editedBy: null,
      editedAt: '2020-01-02T00:00:00.000Z',
    });
    expect((await ann.put(path, { data: { title: 'y' } })).status).toBe(200);
    expect(detailsOf(await ben.put(path, stale)).editedBy.id).toBe(await idOf(ann));
  });
});
