import { beforeAll, describe, expect, it } from '@jest/globals';
import { describePermissions, openSite, statusAndCode, useSite, type PermissionCase } from '@quire/testing';

const site = useSite();
beforeAll(async () => {
  const admin = await site.as('admin');
  await admin.post('/widget-areas', { name: 'side', label: 'Side' });
});

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

describe('widget areas of another site', () => {
  it('are not listed and return 404 NOT_FOUND; their names are free', async () => {
    const admin = await site.as('admin');
    const widget = (await admin.post('/widget-areas/side/widgets', { type: 'menu', title: 'Ours' })).data;
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    expect((await otherAdmin.get('/widget-areas')).data).toEqual({ items: [] });
    const attempts = async () => [
      await otherAdmin.put(`/widget-areas/side/widgets/${widget.id}`, { title: 'Other' }),
      await otherAdmin.delete(`/widget-areas/side/widgets/${widget.id}`),
    ];
    for (const response of [
      ...(await attempts()),
      await otherAdmin.get('/widget-areas/side'),
      await otherAdmin.post('/widget-areas/side/widgets', { type: 'menu' }),
      await otherAdmin.post('/widget-areas/side/reorder', { widgetIds: [] }),
      await otherAdmin.delete('/widget-areas/side'),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    expect((await otherAdmin.post('/widget-areas', { name: 'side', label: 'Other' })).status).toBe(201);
    for (const response of await attempts()) expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    const { label, widgets } = (await admin.get('/widget-areas/side')).data;
    expect({ label, widgets }).toEqual({ label: 'Side', widgets: [widget] });
    await other.close();
  });
});
