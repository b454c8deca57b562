import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, createEntry, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
});

let count = 0;
const call = (tool: string, args: object = {}) => callTool(admin, tool, args);
const create = async (more: object = {}) => {
  count += 1;
  const { data } = await call('schema_create_collection', { slug: `c${count}`, label: 'C', ...more });
  return data;
};
const update = async (slug: string, settings: object) =>
  (await call('schema_update_collection', { slug, ...settings })).data.item;

describe('schema_update_collection', () => {
  it('returns {item} and changes only the given settings; null clears one', async () => {
    const created = await create({ description: 'D', icon: 'i', group: 'G' });
    const settings = {
      label: 'New',
      urlPattern: '/new/{slug}',
      routable: false,
      editLocking: false,
      commentsEnabled: true,
      commentsModeration: 'none',
      commentsClosedAfterDays: 0,
      commentsAutoApproveUsers: false,
    };
    const changed = await update(created.slug, settings);
    expect(changed).toEqual({ ...created, ...settings, updatedAt: changed.updatedAt });
    const cleared = { urlPattern: null, group: null };
    expect(await update(created.slug, cleared)).toMatchObject({
      ...cleared,
      description: 'D',
      icon: 'i',
      label: 'New',
    });
  });

  it('lets hasSeo follow supports unless it is given', async () => {
    const { slug } = await create();
    expect(await update(slug, { supports: ['seo'] })).toMatchObject({ supports: ['seo'], hasSeo: true });
    expect(await update(slug, { label: 'Other' })).toMatchObject({ hasSeo: true });
    expect(await update(slug, { supports: [] })).toMatchObject({ supports: [], hasSeo: false });
    expect(await update(slug, { supports: [], hasSeo: true })).toMatchObject({ hasSeo: true });
  });

  it('keeps both of two concurrent changes of different settings', async () => {
    const { slug } = await create();
    const changes = [{ label: 'New' }, { icon: 'i' }, { commentsEnabled: true }, { group: 'G' }];
    await Promise.all(changes.map((change) => update(slug, change)));
    const { data } = await call('schema_get_collection', { slug });
    expect(data).toMatchObject(Object.assign({}, ...changes));
  });

  it('names a text field as the title and a datetime field as the date', async () => {
    const { slug } = await create();
    for (const type of ['string', 'datetime'])
      await call('schema_create_field', { collection: slug, slug: `a_${type}`, label: 'L', type });
    const roles = { titleField: 'a_string', dateField: 'a_datetime' };
    expect(await update(slug, roles)).toMatchObject(roles);
    expect(await update(slug, { titleField: null })).toMatchObject({ ...roles, titleField: null });
    for (const wrong of [{ titleField: 'a_datetime' }, { dateField: 'a_string' }, { titleField: 'none' }]) {
      const { code } = await call('schema_update_collection', { slug, ...wrong });
      expect(code).toBe('VALIDATION_ERROR');
    }
  });

  it.each([
    { commentsModeration: 'some' },
    { commentsClosedAfterDays: -1 },
    { commentsClosedAfterDays: '5' },
    { supports: ['x'] },
    { urlPattern: '/{' },
    { label: null },
  ])('rejects %j with VALIDATION_ERROR', async (settings) => {
    const { code } = await call('schema_update_collection', { slug: 'posts', ...settings });
    expect(code).toBe('VALIDATION_ERROR');
  });

  it('rejects an unknown collection with NOT_FOUND', async () => {
    const { code, text } = await call('schema_update_collection', { slug: 'nowhere', label: 'L' });
    expect([code, text.includes('nowhere')]).toEqual(['NOT_FOUND', true]);
  });
});

describe('schema_delete_collection', () => {
  it('returns {deleted}; the collection is NOT_FOUND afterwards', async () => {
    const { slug } = await create();
    expect((await call('schema_delete_collection', { slug })).data).toEqual({ deleted: slug });
    for (const tool of ['schema_delete_collection', 'schema_get_collection'])
      expect((await call(tool, { slug })).code).toBe('NOT_FOUND');
  });

  it('rejects a collection with entries, also trashed ones, with COLLECTION_HAS_CONTENT that names force', async () => {
    await site.collection({ slug: 'filled' });
    const entry = await createEntry(admin, 'filled');
    await entry.remove();
    const { code, text } = await call('schema_delete_collection', { slug: 'filled', force: false });
    expect([code, text.includes('force: true')]).toEqual(['COLLECTION_HAS_CONTENT', true]);
    expect((await call('schema_delete_collection', { slug: 'filled', force: 'true' })).code).toBe(
      'VALIDATION_ERROR',
    );
    const { data } = await call('schema_delete_collection', { slug: 'filled', force: true });
    expect(data).toEqual({ deleted: 'filled' });
  });
});
