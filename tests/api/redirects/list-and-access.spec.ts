import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  openSite,
  statusAndCode,
  useSite,
  walkPages,
  type Client,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM redirects');
});

const create = (source: unknown, destination: unknown = '/new', more: object = {}) =>
  admin.post('/redirects', { source, destination, ...more });
const createRule = async (source: string, destination = '/new', more: object = {}) => {
  const response = await create(source, destination, more);
  if (response.status !== 201) throw new Error(`Unexpected status: ${JSON.stringify(response.body)}`);
  return response.data as { id: string; source: string; createdAt: string };
};
const sources = (items: { source: string }[]) => items.map(({ source }) => source);

describe('GET /redirects', () => {
  it('returns the newest first, in pages, each once', async () => {
    for (let index = 0; index < 7; index += 1) await createRule(`/old-${index}`);
    // Ties are broken by id.
    await site.sql("UPDATE redirects SET created_at = '2025-01-01Z' WHERE source < '/old-5'");
    const all = (await admin.get('/redirects')).data;
    expect(all).not.toHaveProperty('nextCursor');
    expect(sources(all.items).slice(0, 2)).toEqual(['/old-6', '/old-5']);
    const ids = all.items.slice(2).map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(sources(await walkPages(admin, '/redirects?limit=2'))).toEqual(sources(all.items));
    expect(await walkPages(admin, '/redirects?limit=7')).toHaveLength(7);
  });

  it('filters by literal text of source and destination, ignoring case', async () => {
    await createRule('/alpha', '/one');
    await createRule('/beta', '/ALPHA-two');
    await createRule('/100%25', '/percent');
    await createRule('/a_b', '/underscore');
    const found = async (search: string) =>
      sources((await admin.get(`/redirects?search=${encodeURIComponent(search)}`)).data.items);
    expect(await found('Alpha')).toEqual(['/beta', '/alpha']);
    expect(await found('%')).toEqual(['/100%25']);
    expect(await found('_')).toEqual(['/a_b']);
    expect(await found("x' OR '1'='1")).toEqual([]);
    await createRule('/caf%C3%A9', '/coffee');
    expect(await found('café')).toEqual(['/caf%C3%A9']);
  });

  it('filters by group, enabled and auto, also combined', async () => {
    await createRule('/a', '/x', { groupName: 'G' });
    await createRule('/b', '/x', { groupName: 'G', enabled: false });
    await createRule('/c', '/x');
    await site.sql("UPDATE redirects SET auto = true WHERE source = '/c'");
    const found = async (query: string) => sources((await admin.get(`/redirects?${query}`)).data.items);
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
    expect(statusAndCode(await admin.get(`/redirects?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 400 INVALID_CURSOR for a cursor of other filters, of another list and a forged one', async () => {
    for (let index = 0; index < 3; index += 1) await createRule(`/old-${index}`);
    const { nextCursor } = (await admin.get('/redirects?limit=1')).data;
    const invalid = [400, 'INVALID_CURSOR'];
    expect((await admin.get(`/redirects?limit=2&cursor=${nextCursor}`)).status).toBe(200);
    expect(statusAndCode(await admin.get(`/redirects?enabled=true&cursor=${nextCursor}`))).toEqual(invalid);
    expect(statusAndCode(await admin.get(`/redirects/404s?cursor=${nextCursor}`))).toEqual(invalid);
    expect(statusAndCode(await admin.get('/redirects?cursor=nonsense'))).toEqual(invalid);
    const scope = (JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[])[0];
    for (const position of [
      [scope, 'no time', 'x'],
      [scope, 7, 'x'],
      [scope, '2025-01-01T00:00:00Z', 'x\u0000'],
    ]) {
      const forged = Buffer.from(JSON.stringify(position)).toString('base64url');
      expect(statusAndCode(await admin.get(`/redirects?cursor=${forged}`))).toEqual(invalid);
    }
  });
});

describe('permissions of redirects (contract 5)', () => {
  let id: string;
  beforeEach(async () => {
    id = (await createRule('/old')).id;
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
  describePermissions(() => site, permissionCases);

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
    await createRule('/older');
    expect(statusAndCode(await otherAdmin.get(`/redirects?limit=1&cursor=${await cursorOf(admin)}`))).toEqual(
      [400, 'INVALID_CURSOR'],
    );
    await other.close();
  });
});
