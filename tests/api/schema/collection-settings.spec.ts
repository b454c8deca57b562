import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { postCollection, putCollection, readCollection } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const create = (slug: string, more?: object) => postCollection(admin, slug, more);
const update = (slug: string, body: object) => putCollection(admin, slug, body);
const get = (slug: string) => readCollection(admin, slug);

describe('PUT /schema/collections/{slug}', () => {
  it('updates only the submitted settings', async () => {
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
  it('clears settings sent as null', async () => {
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
  it('ignores slug and source of the body', async () => {
    const { item } = (await update('cleared', { slug: 'renamed', source: 'seed', label: 'Same' })).data;
    expect(item).toMatchObject({ slug: 'cleared', source: 'manual', label: 'Same' });
  });
  it('accepts a text field as titleField and a datetime field as dateField, and clears both with null', async () => {
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
    'returns 400 INVALID_TITLE_FIELD for %j',
    async (titleField) => {
      expect(statusAndCode(await update('roles', { titleField }))).toEqual([400, 'INVALID_TITLE_FIELD']);
    },
  );
  it.each(['name', 'nothing', '', 'created_at'])(
    'returns 400 INVALID_DATE_FIELD for %j',
    async (dateField) => {
      expect(statusAndCode(await update('roles', { dateField, label: 'Rejected' }))).toEqual([
        400,
        'INVALID_DATE_FIELD',
      ]);
      expect((await get('roles')).label).toBe('roles');
    },
  );
  it('returns 404 COLLECTION_NOT_FOUND for an unknown collection', async () => {
    expect(statusAndCode(await update('nothing', { label: 'x' }))).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });
  it.each([
    ['label', { label: null }],
    ['label', { label: '' }],
    ['commentsModeration', { commentsModeration: 'some' }],
    ['commentsClosedAfterDays', { commentsClosedAfterDays: -1 }],
  ])('returns 400 naming %s for %j', async (path, body) => {
    const response = await update('roles', body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
  });
});
