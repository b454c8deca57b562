import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(() => site.sql('DELETE FROM allowed_domains'));
const path = '/admin/allowed-domains';
const allow = (domain: unknown, defaultRole: unknown = 30) => admin.post(path, { domain, defaultRole });
const domains = async (client = admin) =>
  ((await client.get(path)).data.domains as { domain: string }[]).map(({ domain }) => domain);

describe('POST /admin/allowed-domains (contract 24)', () => {
  it('creates an enabled domain with its default role', async () => {
    const response = await allow(' Site.EXAMPLE ', '20');
    expect([response.status, response.data]).toEqual([
      201,
      {
        success: true,
        domain: {
          domain: 'site.example',
          defaultRole: 20,
          roleName: 'CONTRIBUTOR',
          enabled: true,
          createdAt: expect.stringMatching(/Z$/),
        },
      },
    ]);
  });

  it('returns 409 CONFLICT for each spelling of an existing domain', async () => {
    expect((await allow('Bücher.example')).data.domain.domain).toBe('xn--bcher-kva.example');
    for (const spelling of ['bücher.example', 'XN--BCHER-KVA.example', ' BÜCHER.example'])
      expect(statusAndCode(await allow(spelling, 10))).toEqual([409, 'CONFLICT']);
    expect((await admin.get(path)).data.domains).toMatchObject([{ defaultRole: 30 }]);
  });

  it('creates one domain when 4 requests race', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => allow('race.example')));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it.each([
    '',
    'nothing',
    'ann@site.example',
    'https://site.example',
    '*.site.example',
    '10.0.0.1',
    'a\u0000.example',
    7,
  ])('returns 400 for the domain %j', async (domain) => {
    const response = await allow(domain);
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', ['domain']]);
  });

  it.each([15, '15', 'author', null])('returns 400 for the default role %j', async (role) => {
    const response = await allow('site.example', role);
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['defaultRole'],
    ]);
  });
});

describe('GET /admin/allowed-domains (contract 24)', () => {
  it('returns all domains, sorted by name', async () => {
    for (const domain of ['b.example', 'c.example', 'a.example']) await allow(domain);
    expect(await domains()).toEqual(['a.example', 'b.example', 'c.example']);
  });
});

describe.each([
  ['PUT', 'put'],
  ['PATCH', 'patch'],
] as const)('%s /admin/allowed-domains/{domain} (contract 24)', (_, method) => {
  const update = (domain: string, body: object) => admin[method](`${path}/${domain}`, body);

  it('updates only the submitted fields', async () => {
    await allow('site.example');
    const off = await update('SITE.example', { enabled: false });
    expect([off.status, off.data]).toMatchObject([
      200,
      { success: true, domain: { domain: 'site.example', enabled: false, defaultRole: 30 } },
    ]);
    const moved = await update('site.example', { defaultRole: 40 });
    expect(moved.data.domain).toMatchObject({ enabled: false, defaultRole: 40, roleName: 'EDITOR' });
  });

  it('returns 400 for an unknown role and for an invalid flag', async () => {
    await allow('site.example');
    for (const body of [{ defaultRole: 41 }, { enabled: 'yes' }])
      expect(statusAndCode(await update('site.example', body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 404 for an unknown domain', async () => {
    for (const domain of ['other.example', 'nothing'])
      expect(statusAndCode(await update(domain, { enabled: true }))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('DELETE /admin/allowed-domains/{domain} (contract 24)', () => {
  it('deletes the domain; the next request returns 404', async () => {
    await allow('bücher.example');
    const response = await admin.delete(`${path}/${encodeURIComponent('bücher.example')}`);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    expect(await domains()).toEqual([]);
    expect(statusAndCode(await admin.delete(`${path}/xn--bcher-kva.example`))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('permissions for allowed domains (contract 5)', () => {
  const calls: [string, (client: Client) => ReturnType<Client['get']>][] = [
    ['listAllowedDomains', (client) => client.get(path)],
    ['createAllowedDomain', (client) => client.post(path, { domain: 'x.example', defaultRole: 40 })],
    ['updateAllowedDomain', (client) => client.put(`${path}/site.example`, { defaultRole: 40 })],
    ['patchAllowedDomain', (client) => client.patch(`${path}/site.example`, { defaultRole: 40 })],
    ['deleteAllowedDomain', (client) => client.delete(`${path}/site.example`)],
  ];

  it.each(calls)('%s is allowed for administrators and tokens with the scope admin', async (_, call) => {
    await allow('site.example');
    for (const role of ['subscriber', 'contributor', 'author', 'editor'] as const)
      expect(statusAndCode(await call(await site.as(role)))).toEqual([403, 'FORBIDDEN']);
    const narrow = await site.withScopes('admin', ['settings:manage']);
    expect(statusAndCode(await call(narrow))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(statusAndCode(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect((await admin.get(path)).data.domains).toMatchObject([{ domain: 'site.example', defaultRole: 30 }]);
  });

  it('allowed domains are separate per site', async () => {
    await allow('site.example');
    const neighbour = await openSite();
    const there = await neighbour.as('admin');
    expect(await domains(there)).toEqual([]);
    for (const [, call] of calls.slice(2))
      expect(statusAndCode(await call(there))).toEqual([404, 'NOT_FOUND']);
    expect((await calls[1]?.[1](there))?.status).toBe(201);
    expect(await domains()).toEqual(['site.example']);
    await neighbour.close();
  });
});

describe('GET /auth/mode (contract 30)', () => {
  const mode = async () => (await site.anonymous().get('/auth/mode')).data;

  it('returns the sign-in methods and whether an enabled domain permits signup', async () => {
    const closed = { authMode: 'passkey', signupEnabled: false, providers: expect.any(Array) };
    expect(await mode()).toEqual(closed);
    await allow('site.example');
    expect(await mode()).toEqual({ ...closed, signupEnabled: true });
    await admin.put(`${path}/site.example`, { enabled: false });
    expect(await mode()).toEqual(closed);
  });
});
