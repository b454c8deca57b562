import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  openSite,
  statusAndCode,
  walkPages,
  type Client,
  type PermissionCase,
} from '@quire/testing';
import { useRedirects } from './support.js';

const redirects = useRedirects();

const sources = (items: { source: string }[]) => items.map(({ source }) => source);

describe('GET /redirects', () => {
  it('returns the newest first, in pages, each once', async () => {
    for (let index = 0; index < 7; index += 1) await redirects.createRule(`/old-${index}`);
    // Ties are broken by id.
    await redirects.site.sql("UPDATE redirects SET created_at = '2025-01-01Z' WHERE source < '/old-5'");
    const all = (await redirects.admin.get('/redirects')).data;
    expect(all).not.toHaveProperty('nextCursor');
    expect(sources(all.items).slice(0, 2)).toEqual(['/old-6', '/old-5']);
    const ids = all.items.slice(2).map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(sources(await walkPages(redirects.admin, '/redirects?limit=2'))).toEqual(sources(all.items));
    expect(await walkPages(redirects.admin, '/redirects?limit=7')).toHaveLength(7);
  });

  it('filters by literal text of source and destination, ignoring case', async () => {
    await redirects.createRule('/alpha', '/one');
    await redirects.createRule('/beta', '/ALPHA-two');
    await redirects.createRule('/100%25', '/percent');
    await redirects.createRule('/a_b', '/underscore');
    const found = async (search: string) =>
      sources((await redirects.admin.get(`/redirects?search=${encodeURIComponent(search)}`)).data.items);
    expect(await found('Alpha')).toEqual(['/beta', '/alpha']);
    expect(await found('%')).toEqual(['/100%25']);
    expect(await found('_')).toEqual(['/a_b']);
    expect(await found("x' OR '1'='1")).toEqual([]);
    await redirects.createRule('/caf%C3%A9', '/coffee');
    expect(await found('café')).toEqual(['/caf%C3%A9']);
  });

  it('filters by group, enabled and auto, also combined', async () => {
    await redirects.createRule('/a', '/x', { groupName: 'G' });
    await redirects.createRule('/b', '/x', { groupName: 'G', enabled: false });
    await redirects.createRule('/c', '/x');
    await redirects.site.sql("UPDATE redirects SET auto = true WHERE source = '/c'");
    const found = async (query: string) =>
      sources((await redirects.admin.get(`/redirects?${query}`)).data.items);
    expect(await found('group=G')).toEqual(['/b', '/a']);
    expect(await found('group=')).toEqual(['/c']);
    expect(await found('enabled=true')).toEqual(['/c', '/a']);
    expect(await found('enabled=false')).toEqual(['/b']);
    expect(await found('auto=true')).toEqual(['/c']);
    expect(await found('auto=false&group=G&enabled=true&search=a')).toEqual(['/a']);
    expect(await found('group=H')).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'enabled=yes',
    'auto=1',
    'search=',
    `search=${'x'.repeat(201)}`,
  ])('returns 400 VALIDATION_ERROR for %s', async (query) => {
    expect(statusAndCode(await redirects.admin.get(`/redirects?${query}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('returns 400 INVALID_CURSOR for a cursor of other filters, of another list and a forged one', async () => {
    for (let index = 0; index < 3; index += 1) await redirects.createRule(`/old-${index}`);
    const { nextCursor } = (await redirects.admin.get('/redirects?limit=1')).data;
    const invalid = [400, 'INVALID_CURSOR'];
    expect((await redirects.admin.get(`/redirects?limit=2&cursor=${nextCursor}`)).status).toBe(200);
    expect(statusAndCode(await redirects.admin.get(`/redirects?enabled=true&cursor=${nextCursor}`))).toEqual(
      invalid,
    );
    expect(statusAndCode(await redirects.admin.get(`/redirects/404s?cursor=${nextCursor}`))).toEqual(invalid);
    expect(statusAndCode(await redirects.admin.get('/redirects?cursor=nonsense'))).toEqual(invalid);
    const scope = (JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[])[0];
    for (const position of [
      [scope, 'no time', 'x'],
      [scope, 7, 'x'],
      [scope, '2025-01-01T00:00:00Z', 'x\u0000'],
    ]) {
      const forged = Buffer.from(JSON.stringify(position)).toString('base64url');
      expect(statusAndCode(await redirects.admin.get(`/redirects?cursor=${forged}`))).toEqual(invalid);
    }
  });
});

describe('permissions of redirects (contract 5)', () => {
  let id: string;
  beforeEach(async () => {
    id = (await redirects.createRule('/old')).id;
  });

  const permissionCases: PermissionCase[] = [
    {
      permission: 'redirects:read',
      minRole: 'editor',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: {
        listRedirects: (client) => client.get('/redirects'),
        getRedirect: (client) => client.get(`/redirects/${id}`),
      },
    },
    {
      permission: 'redirects:manage',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 201,
      operations: {
        createRedirect: (client) => client.post('/redirects', { source: '/x', destination: '/y' }),
      },
    },
    {
      permission: 'redirects:manage',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: {
        updateRedirect: (client) => client.put(`/redirects/${id}`, { enabled: false }),
        deleteRedirect: (client) => client.delete(`/redirects/${id}`),
      },
    },
  ];
  describePermissions(() => redirects.site, permissionCases);

  it('are separate per site', async () => {
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    expect((await otherAdmin.get('/redirects')).data).toEqual({ items: [] });
    expect(statusAndCode(await otherAdmin.get(`/redirects/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await otherAdmin.put(`/redirects/${id}`, { enabled: false }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(statusAndCode(await otherAdmin.delete(`/redirects/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await otherAdmin.get('/redirects/resolve?path=/old')).data).toEqual({ redirect: null });
    expect((await otherAdmin.post('/redirects', { source: '/new', destination: '/old' })).status).toBe(201);
    const cursorOf = async (client: Client) => (await client.get('/redirects?limit=1')).data.nextCursor;
    await redirects.createRule('/older');
    expect(
      statusAndCode(await otherAdmin.get(`/redirects?limit=1&cursor=${await cursorOf(redirects.admin)}`)),
    ).toEqual([400, 'INVALID_CURSOR']);
    await other.close();
  });
});
