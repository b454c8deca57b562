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

describe('createField', () => {
  it('lands every one of ten parallel fields, each at a place of its own', async () => {
    await site.collection({ slug: 'crowd', fields: [] });
    const path = '/schema/collections/crowd/fields';
    const slugs = Array.from({ length: 10 }, (_, index) => `f${index}`);
    const responses = await Promise.all(
      slugs.map((slug) => admin.post(path, { slug, label: slug, type: 'string' })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const { items } = (await admin.get(path)).data;
    expect(items.map(({ sortOrder }: { sortOrder: number }) => sortOrder)).toEqual([...slugs.keys()]);
  });
  it('lets one of ten parallel creations of one field through', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        admin.post('/schema/collections/busy/fields', { slug: 'wanted', label: 'W', type: 'string' }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'FIELD_EXISTS')).toHaveLength(9);
  });
  it('keeps the last place in reach', async () => {
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

describe('reorderFields', () => {
  const path = '/schema/collections/busy/fields';
  const reorder = (fieldSlugs: unknown) => admin.post(`${path}/reorder`, { fieldSlugs });
  const order = async () =>
    ((await admin.get(path)).data.items as { slug: string }[]).map(({ slug }) => slug);

  it('puts the named fields first; the others follow in their present order', async () => {
    const before = await order();
    const response = await reorder([before[9], before[3]]);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    const rest = before.filter((_slug, index) => index !== 9 && index !== 3);
    expect(await order()).toEqual([before[9], before[3], ...rest]);
  });
  it('answers 404 FIELD_NOT_FOUND and 400 DUPLICATE_SLUG with details.slugs, and changes nothing', async () => {
    const before = await order();
    const unknown = await reorder(['f1', 'nothing']);
    expect([statusAndCode(unknown), unknown.error.details]).toEqual([
      [404, 'FIELD_NOT_FOUND'],
      { slugs: ['nothing'] },
    ]);
    const doubled = await reorder(['f1', 'f1']);
    expect([statusAndCode(doubled), doubled.error.details]).toEqual([
      [400, 'DUPLICATE_SLUG'],
      { slugs: ['f1'] },
    ]);
    expect(await order()).toEqual(before);
  });
  it('answers 404 COLLECTION_NOT_FOUND and refuses another body', async () => {
    expect(
      statusAndCode(await admin.post('/schema/collections/nothing/fields/reorder', { fieldSlugs: [] })),
    ).toEqual([404, 'COLLECTION_NOT_FOUND']);
    expect(statusAndCode(await reorder('f1'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
