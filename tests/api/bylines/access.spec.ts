import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  describePermissions,
  openSite,
  statusAndCode,
  useSite,
  walkPages,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
let id: string;

beforeAll(async () => {
  await site.collection();
  const admin = await site.as('admin');
  id = (await admin.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' })).data.id;
  await admin.post('/admin/byline-fields', { slug: 'job', label: 'Job', type: 'string' });
});

const bylines = '/admin/bylines';
const fields = '/admin/byline-fields';
const permissionCases: PermissionCase[] = [
  {
    permission: 'bylines:read',
    minRole: 'subscriber',
    scopes: ['admin'],
    expectedStatus: 200,
    operations: {
      listBylines: (client) => client.get(bylines),
      getByline: (client) => client.get(`${bylines}/${id}`),
      listBylineTranslations: (client) => client.get(`${bylines}/${id}/translations`),
    },
  },
  {
    permission: 'bylines:manage',
    minRole: 'editor',
    scopes: ['admin'],
    operations: {
      createByline: (client) => client.post(bylines, { slug: 'ann', displayName: 'Ann' }),
      updateByline: (client) => client.put(`${bylines}/nothing`, {}),
      deleteByline: (client) => client.delete(`${bylines}/nothing`),
      createBylineTranslation: (client) => client.post(`${bylines}/nothing/translations`, { locale: 'de' }),
    },
  },
  {
    permission: 'schema:read',
    minRole: 'editor',
    scopes: ['admin'],
    expectedStatus: 200,
    operations: {
      listBylineFields: (client) => client.get(fields),
      getBylineField: (client) => client.get(`${fields}/job`),
      getBylineFieldUsage: (client) => client.get(`${fields}/job/usage`),
    },
  },
  {
    permission: 'schema:manage',
    minRole: 'admin',
    scopes: ['admin'],
    operations: {
      createBylineField: (client) => client.post(fields, { slug: 'job', label: 'Job', type: 'string' }),
      updateBylineField: (client) => client.patch(`${fields}/nothing`, {}),
      deleteBylineField: (client) => client.delete(`${fields}/nothing`),
      reorderBylineFields: (client) => client.post(`${fields}/reorder`, { slugs: [] }),
    },
  },
];
describePermissions(() => site, permissionCases);

describe('bylines of another tenant', () => {
  it('are not found and cannot be credited; their slugs can be reused', async () => {
    const other = await openSite();
    await other.collection();
    const theirs = await other.as('admin');
    expect(await walkPages(theirs, '/admin/bylines')).toEqual([]);
    expect((await theirs.get(fields)).data.items).toEqual([]);
    const responses = [
      await theirs.get(`/admin/bylines/${id}`),
      await theirs.put(`/admin/bylines/${id}`, { displayName: 'Theirs' }),
      await theirs.delete(`/admin/bylines/${id}`),
      await theirs.get(`/admin/bylines/${id}/translations`),
      await theirs.post(`/admin/bylines/${id}/translations`, { locale: 'de' }),
      await theirs.get(`${fields}/job`),
      await theirs.delete(`${fields}/job`),
    ];
    expect(responses.map(statusAndCode)).toEqual(Array(7).fill([404, 'NOT_FOUND']));
    const entry = await createEntry(theirs);
    expect(statusAndCode(await entry.put({ bylines: [{ bylineId: id }] }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await theirs.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' })).status).toBe(201);
    expect((await theirs.post(fields, { slug: 'job', label: 'Job', type: 'url' })).status).toBe(201);
    expect((await (await site.as('admin')).get(`/admin/bylines/${id}`)).data.displayName).toBe('Ann');
    await other.close();
  });
});
