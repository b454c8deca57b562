import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, type PermissionCase, type Site } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  const admin = await site.as('admin');
  await admin.post('/widget-areas', { name: 'side', label: 'Side' });
});
afterAll(() => site.close());

const nothing = '/widget-areas/nothing';
const permissionCases: PermissionCase[] = [
  {
    permission: 'widgets:read',
    minRole: 'subscriber',
    scopes: ['content:read'],
    expectedStatus: 200,
    operations: {
      listWidgetAreas: (client) => client.get('/widget-areas'),
      getWidgetArea: (client) => client.get('/widget-areas/side'),
    },
  },
  {
    permission: 'widgets:manage',
    minRole: 'editor',
    scopes: ['content:write'],
    operations: {
      createWidgetArea: (client) => client.post('/widget-areas', { name: 'side', label: 'Side' }),
      deleteWidgetArea: (client) => client.delete(nothing),
      createWidget: (client) => client.post(`${nothing}/widgets`, { type: 'menu' }),
      updateWidget: (client) => client.put(`${nothing}/widgets/1`, { title: 'x' }),
      deleteWidget: (client) => client.delete(`${nothing}/widgets/1`),
      reorderWidgets: (client) => client.post(`${nothing}/reorder`, { widgetIds: [] }),
    },
  },
];
describePermissions(() => site, permissionCases);

describe('another tenant', () => {
  it('sees no area of this one, changes none, and may use the same names', async () => {
    const admin = await site.as('admin');
    const widget = (await admin.post('/widget-areas/side/widgets', { type: 'menu', title: 'Ours' })).data;
    const other = await openSite();
    const theirs = await other.as('admin');
    expect((await theirs.get('/widget-areas')).data).toEqual({ items: [] });
    const attempts = async () => [
      await theirs.put(`/widget-areas/side/widgets/${widget.id}`, { title: 'Theirs' }),
      await theirs.delete(`/widget-areas/side/widgets/${widget.id}`),
    ];
    for (const answer of [
      ...(await attempts()),
      await theirs.get('/widget-areas/side'),
      await theirs.post('/widget-areas/side/widgets', { type: 'menu' }),
      await theirs.post('/widget-areas/side/reorder', { widgetIds: [] }),
      await theirs.delete('/widget-areas/side'),
    ])
      expect(statusAndCode(answer)).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.post('/widget-areas', { name: 'side', label: 'Theirs' })).status).toBe(201);
    for (const answer of await attempts()) expect(statusAndCode(answer)).toEqual([404, 'NOT_FOUND']);
    const { label, widgets } = (await admin.get('/widget-areas/side')).data;
    expect({ label, widgets }).toEqual({ label: 'Side', widgets: [widget] });
    await other.close();
  });
});
