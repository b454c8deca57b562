import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { useEdgeTestEnvironment, waitForChange, type EdgeSite } from './support.js';

const testEnvironment = useEdgeTestEnvironment();
let defaultOrigin: string;

beforeAll(async () => {
  defaultOrigin = await testEnvironment.start();
});
afterEach(() => testEnvironment.stopAllExcept(defaultOrigin));

/** Creates a site with its first user. */
async function siteWithFirstUser(origin = defaultOrigin): Promise<EdgeSite> {
  const site = await testEnvironment.site(origin);
  expect((await site.visit('first')).data.role).toBe(50);
  return site;
}
const roleOf = async (site: EdgeSite, name: string, groups?: unknown) =>
  (await site.visit(name, groups === undefined ? {} : { groups })).data.role as number;

/** Changes a user as the first user of the site. */
async function administer(site: EdgeSite, name: string, action: 'disable' | 'enable' | { role: number }) {
  const assertion = await site.assert('first');
  const { data } = await site.get(`/admin/users?search=${site.email(name)}`, { assertion });
  const path = `/admin/users/${data.items[0].id}`;
  const request = { assertion, headers: { 'x-cms-request': '1' } };
  const response =
    typeof action === 'string'
      ? await site.send('POST', `${path}/${action}`, request)
      : await site.send('PUT', path, { ...request, body: action });
  expect(response.status).toBe(200);
}

describe('first visit through an edge access proxy (document 1, Edge access mode)', () => {
  it('creates a user with the default role and the name of the assertion', async () => {
    const site = await siteWithFirstUser();
    const first = await site.visit('ann', { name: ' Ann ' });
    const second = await site.visit('ANN');
    expect(first.data).toMatchObject({ email: site.email('ann'), name: 'Ann', role: 30, isFirstLogin: true });
    expect(second.data.id).toBe(first.data.id);
  });

  it('creates an Admin when there is no user yet, regardless of groups', async () => {
    const site = await testEnvironment.site(
      await testEnvironment.start({ roleMapping: { readers: 10 }, syncRoles: true }),
    );
    expect(await roleOf(site, 'first', ['readers'])).toBe(50);
    expect(await roleOf(site, 'second', ['readers'])).toBe(10);
  });

  it('creates one Admin when 8 first visits race', async () => {
    const site = await testEnvironment.site(defaultOrigin);
    const roles = await Promise.all(Array.from({ length: 8 }, (_, index) => roleOf(site, `visitor${index}`)));
    expect(roles.sort()).toEqual([30, 30, 30, 30, 30, 30, 30, 50]);
  });

  it('creates one user for concurrent requests', async () => {
    const site = await siteWithFirstUser();
    const responses = await Promise.all(Array.from({ length: 8 }, () => site.visit('ann')));
    expect(new Set(responses.map(({ data }) => data.id as string)).size).toBe(1);
  });

  it('signs in the existing user with the address, with their role', async () => {
    const site = await siteWithFirstUser();
    await site.token('editor', 'ed');
    expect(await roleOf(site, 'ed')).toBe(40);
  });

  it('creates separate users per site', async () => {
    const site = await siteWithFirstUser();
    const other = await siteWithFirstUser();
    const assertion = await site.assert('ann');
    const [onSite, onOther] = [
      await site.get('/auth/me', { assertion }),
      await other.get('/auth/me', { assertion }),
    ];
    expect(onSite.data.id).not.toBe(onOther.data.id);
  });

  it('returns 403 without autoProvision, except for existing users', async () => {
    const site = await testEnvironment.site(
      await testEnvironment.start({ autoProvision: false, roleMapping: { editors: 40 } }),
    );
    for (const name of ['first', 'second']) {
      const response = await site.visit(name, { groups: ['editors'] });
      expect([response.status, response.type, response.text]).toEqual([
        403,
        'text/plain; charset=utf-8',
        'User not authorized',
      ]);
    }
    await site.token('admin', 'first');
    expect(await roleOf(site, 'first')).toBe(50);
    expect((await site.visit('second')).status).toBe(403);
  });

  it('creates a user with the configured default role', async () => {
    expect(
      await roleOf(await siteWithFirstUser(await testEnvironment.start({ defaultRole: 10 })), 'ann'),
    ).toBe(10);
  });
});

describe('disabled user', () => {
  it('gets 403 from every process at once, and access again when enabled', async () => {
    const distributed = await testEnvironment.start({}, { isDistributed: true });
    const site = await siteWithFirstUser();
    const assertion = await site.assert('ann');
    const getMe = (at = site) => at.get('/auth/me', { assertion });
    for (const at of [site, site.at(distributed)]) expect((await getMe(at)).status).toBe(200);
    await administer(site, 'ann', 'disable');
    for (const at of [site, site.at(distributed)]) {
      await waitForChange(200, async () => (await getMe(at)).status);
      const response = await getMe(at);
      expect([response.status, response.type, response.text]).toEqual([
        403,
        'text/plain; charset=utf-8',
        'Account disabled',
      ]);
    }
    const { data } = await site.get('/admin/audit-log?action=session.refused', {
      assertion: await site.assert('first'),
    });
    expect(data.items[0]).toMatchObject({
      target: { type: 'user' },
      details: { method: 'edge-access', reason: 'ACCOUNT_DISABLED' },
    });
    await administer(site, 'ann', 'enable');
    expect((await site.visit('ann')).status).toBe(200);
  });
});

describe('role of a user with groups', () => {
  const roleMapping = { writers: 20, editors: 40, admins: 50 } as const;

  it.each<[string, unknown, number]>([
    ['the mapped role', ['editors'], 40],
    ['that of the first mapped group in any order of the assertion', ['admins', 'editors', 'writers'], 20],
    ['the default role without mapped groups', ['others', 'Editors'], 30],
    ['the mapped role when groups are objects', [{ id: '1', name: 'editors' }, { id: '2' }, null, 7], 40],
    ['the default role when groups is not a list', 'editors', 30],
  ])('is %s', async (_, groups, role) => {
    expect(
      await roleOf(await siteWithFirstUser(await testEnvironment.start({ roleMapping })), 'ann', groups),
    ).toBe(role);
  });

  it("is that of custom claims, or of the team's identity endpoint when the assertion has no groups", async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping }));
    expect((await site.visit('ann', { custom: { groups: ['writers'] } })).data.role).toBe(20);
    testEnvironment.team.identities.set(site.email('bea'), { groups: [{ id: '1', name: 'editors' }] });
    expect(await roleOf(site, 'bea')).toBe(40);
    expect(await roleOf(site, 'unknown')).toBe(30);
  });

  it("is not guessed: 503 while the team's identity endpoint fails", async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping }));
    testEnvironment.team.responseMode = 'failing';
    const response = await site.visit('ann');
    testEnvironment.team.responseMode = 'answering';
    expect([response.status, response.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await roleOf(site, 'ann')).toBe(30);
  });

  it('is set at the first sign-in and kept without syncRoles', async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping }));
    expect(await roleOf(site, 'ann', ['writers'])).toBe(20);
    expect(await roleOf(site, 'ann', ['editors'])).toBe(20);
    await administer(site, 'ann', { role: 10 });
    expect(await roleOf(site, 'ann', ['editors'])).toBe(10);
  });

  it("is kept for known users while the team's identity endpoint fails, without syncRoles", async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping }));
    expect(await roleOf(site, 'ann', ['editors'])).toBe(40);
    testEnvironment.team.responseMode = 'failing';
    const responses = [await site.visit('ann'), await site.visit('bea')];
    testEnvironment.team.responseMode = 'answering';
    expect(responses.map(({ status }) => status)).toEqual([200, 503]);
    expect(responses[0]?.data.role).toBe(40);
  });

  it('follows the groups at every sign-in with syncRoles, else is the default role', async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping, syncRoles: true }));
    expect(await roleOf(site, 'ann', ['writers'])).toBe(20);
    expect(await roleOf(site, 'ann', ['editors'])).toBe(40);
    expect(await roleOf(site, 'ann', [])).toBe(30);
  });

  it('changes only with a newer assertion', async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping, syncRoles: true }));
    const now = Math.floor(Date.now() / 1000);
    const sign = (groups: string[], iat: number) => site.assert('ann', { claims: { groups, iat } });
    const older = await sign(['writers'], now - 60);
    const newer = await sign(['editors'], now - 30);
    const role = async (assertion: string) => (await site.get('/auth/me', { assertion })).data.role as number;
    expect([await role(older), await role(newer), await role(older)]).toEqual([20, 40, 40]);
    await administer(site, 'ann', { role: 10 });
    expect([await role(newer), await role(older)]).toEqual([10, 10]);
    expect(await role(await sign(['writers'], now))).toBe(20);
  });

  it('stays Admin for the last active Admin', async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping, syncRoles: true }));
    expect(await roleOf(site, 'first', ['writers'])).toBe(50);
    expect(await roleOf(site, 'second', ['admins'])).toBe(50);
    expect(await roleOf(site, 'first', ['writers'])).toBe(20);
    expect(await roleOf(site, 'second', ['writers'])).toBe(50);
  });

  it('leaves one Admin when two are demoted concurrently', async () => {
    const site = await siteWithFirstUser(await testEnvironment.start({ roleMapping, syncRoles: true }));
    expect(await roleOf(site, 'second', ['admins'])).toBe(50);
    const roles = await Promise.all(['first', 'second'].map((name) => roleOf(site, name, ['writers'])));
    expect(roles.sort()).toEqual([20, 50]);
  });
});

describe('audit log of edge access', () => {
  it('contains created users, sign-ins and role changes by groups', async () => {
    const site = await siteWithFirstUser(
      await testEnvironment.start({ roleMapping: { editors: 40 }, syncRoles: true }),
    );
    const { id } = (await site.visit('ann')).data as { id: string };
    await site.visit('ann', { groups: ['editors'] });
    const log = await site.get(`/admin/audit-log?user=${id}`, { assertion: await site.assert('first') });
    const events = (log.data.items as { action: string; actor: { id: string }; details: object }[])
      .reverse()
      .map(({ action, actor, details }) => [action, actor.id, details]);
    expect(events).toEqual([
      ['user.created', id, { role: 30, method: 'edge-access' }],
      ['session.opened', id, { method: 'edge-access' }],
      ['user.role-changed', 'system:edge-access', { from: 30, to: 40 }],
      ['session.opened', id, { method: 'edge-access' }],
    ]);
  });
});
