import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({
    slug: 'busy',
    fields: Array.from({ length: 10 }, (_, index) => ({ slug: `f${index}`, type: 'string' as const })),
  });
});

describe('POST /schema/collections/{slug}/fields', () => {
  it('creates 10 fields with different sortOrder when 10 requests race', async () => {
    await site.collection({ slug: 'raced', fields: [] });
    const path = '/schema/collections/raced/fields';
    const slugs = Array.from({ length: 10 }, (_, index) => `f${index}`);
    const responses = await Promise.all(
      slugs.map((slug) => admin.post(path, { slug, label: slug, type: 'string' })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const { items } = (await admin.get(path)).data;
    expect(items.map(({ sortOrder }: { sortOrder: number }) => sortOrder)).toEqual([...slugs.keys()]);
  });
  it('creates one field when 10 requests with one slug race', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        admin.post('/schema/collections/busy/fields', { slug: 'wanted', label: 'W', type: 'string' }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'FIELD_EXISTS')).toHaveLength(9);
  });
  it('does not exceed the maximum sortOrder', async () => {
    await site.collection({
      slug: 'edge',
      fields: [{ slug: 'last', type: 'string', sortOrder: 2 ** 31 - 1 }],
    });
    const response = await admin.post('/schema/collections/edge/fields', {
      slug: 'more',
      label: 'M',
      type: 'string',
    });
    expect([response.status, response.data.item.sortOrder]).toEqual([201, 2 ** 31 - 1]);
  });
});

describe('POST /schema/collections/{slug}/fields/reorder', () => {
  const path = '/schema/collections/busy/fields';
  const reorder = (fieldSlugs: unknown) => admin.post(`${path}/reorder`, { fieldSlugs });
  const order = async () =>
    ((await admin.get(path)).data.items as { slug: string }[]).map(({ slug }) => slug);

  it('moves the named fields to the front, and keeps the order of the others', async () => {
    const before = await order();
    const response = await reorder([before[9], before[3]]);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    const rest = before.filter((_slug, index) => index !== 9 && index !== 3);
    expect(await order()).toEqual([before[9], before[3], ...rest]);
  });
  it('returns 404 FIELD_NOT_FOUND or 400 DUPLICATE_SLUG with details.slugs, and changes nothing', async () => {
    const before = await order();
    const unknown = await reorder(['f1', 'nothing']);
    expect([statusAndCode(unknown), unknown.error.details]).toEqual([
      [404, 'FIELD_NOT_FOUND'],
      { slugs: ['nothing'] },
    ]);
    const duplicate = await reorder(['f1', 'f1']);
    expect([statusAndCode(duplicate), duplicate.error.details]).toEqual([
      [400, 'DUPLICATE_SLUG'],
      { slugs: ['f1'] },
    ]);
    expect(await order()).toEqual(before);
  });
  it('returns 404 COLLECTION_NOT_FOUND, and 400 for another body', async () => {
    expect(
      statusAndCode(await admin.post('/schema/collections/nothing/fields/reorder', { fieldSlugs: [] })),
    ).toEqual([404, 'COLLECTION_NOT_FOUND']);
    expect(statusAndCode(await reorder('f1'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
