import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const create = (slug: string, more: object = {}) =>
  admin.post('/schema/collections', { slug, label: 'A label', ...more });
const update = (slug: string, body: object) => admin.put(`/schema/collections/${slug}`, body);
const get = async (slug: string) => (await admin.get(`/schema/collections/${slug}`)).data.item;

describe('updateCollection', () => {
  it('changes what is sent and leaves the rest', async () => {
    const before = (await create('updated', { icon: 'pen', urlPattern: '/{slug}', group: 'A', sortOrder: 3 }))
      .data.item;
    const settings = {
      label: 'New',
      commentsEnabled: true,
      commentsModeration: 'all',
      commentsClosedAfterDays: 0,
      commentsAutoApproveUsers: false,
      editLocking: false,
      supports: ['drafts'],
      hasSeo: true,
    };
    const after = (await update('updated', settings)).data.item;
    expect(after).toEqual({ ...before, ...settings, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await get('updated')).toEqual(after);
  });
  it('clears with null', async () => {
    await create('cleared', {
      icon: 'pen',
      urlPattern: '/{slug}',
      group: 'A',
      sortOrder: 3,
      admin: { listColumns: ['a'] },
    });
    const { item } = (
      await update('cleared', { urlPattern: null, sortOrder: null, group: null, admin: null, icon: null })
    ).data;
    expect(item).toMatchObject({ urlPattern: null, sortOrder: null, group: null, icon: null });
    expect(item).not.toHaveProperty('admin');
  });
  it('drops slug and source of the body', async () => {
    const { item } = (await update('cleared', { slug: 'renamed', source: 'seed', label: 'Same' })).data;
    expect(item).toMatchObject({ slug: 'cleared', source: 'manual', label: 'Same' });
  });
  it('takes a text field as titleField and a datetime field as dateField, and clears both with null', async () => {
    await site.collection({
      slug: 'roles',
      fields: [
        { slug: 'name', type: 'text' },
        { slug: 'day', type: 'datetime' },
      ],
    });
    expect((await update('roles', { titleField: 'name', dateField: 'day' })).data.item).toMatchObject({
      titleField: 'name',
      dateField: 'day',
    });
    expect((await update('roles', { titleField: null, dateField: null })).data.item).toMatchObject({
      titleField: null,
      dateField: null,
    });
  });
  it.each(['day', 'nothing', '', 'created_at'])(
    'answers 400 INVALID_TITLE_FIELD for %j',
    async (titleField) => {
      expect(statusAndCode(await update('roles', { titleField }))).toEqual([400, 'INVALID_TITLE_FIELD']);
    },
  );
  it.each(['name', 'nothing', '', 'created_at'])(
    'answers 400 INVALID_DATE_FIELD for %j',
    async (dateField) => {
      expect(statusAndCode(await update('roles', { dateField, label: 'Not kept' }))).toEqual([
        400,
        'INVALID_DATE_FIELD',
      ]);
      expect((await get('roles')).label).toBe('roles');
    },
  );
  it('answers 404 COLLECTION_NOT_FOUND for an unknown collection', async () => {
    expect(statusAndCode(await update('nothing', { label: 'x' }))).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });
  it.each([
    ['label', { label: null }],
    ['label', { label: '' }],
    ['commentsModeration', { commentsModeration: 'some' }],
    ['commentsClosedAfterDays', { commentsClosedAfterDays: -1 }],
  ])('names %s as wrong', async (path, body) => {
    const response = await update('roles', body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
  });
});
