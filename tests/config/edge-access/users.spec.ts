import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EdgeTestEnvironment, waitForChange, type EdgeSite } from '../support/edge-test-environment.js';

let testEnvironment: EdgeTestEnvironment;
let defaultOrigin: string;

beforeAll(async () => {
  testEnvironment = await EdgeTestEnvironment.open();
  defaultOrigin = await testEnvironment.start();
}, 60_000);
afterEach(() => testEnvironment.stopAllExcept(defaultOrigin));
afterAll(() => testEnvironment.close());

/** A site with its first user. */
async function settled(origin = defaultOrigin): Promise<EdgeSite> {
  const site = await testEnvironment.site(origin);
  expect((await site.visit('first')).data.role).toBe(50);
  return site;
}
const roleOf = async (site: EdgeSite, name: string, groups?: unknown) =>
  (await site.visit(name, groups === undefined ? {} : { groups })).data.role as number;

/** Does something to a user as the site's first one. */
async function administer(site: EdgeSite, name: string, action: 'disable' | 'enable' | { role: number }) {
  const assertion = await site.assert('first');
  const { data } = await site.get(`/admin/users?search=${site.email(name)}`, { assertion });
  const path = `/admin/users/${data.items[0].id}`;
  const marked = { assertion, headers: { 'x-cms-request': '1' } };
  const answer =
    typeof action === 'string'
      ? await site.send('POST', `${path}/${action}`, marked)
      : await site.send('PUT', path, { ...marked, body: action });
  expect(answer.status).toBe(200);
}

describe('a person whom the proxy lets in for the first time (document 1, Edge access mode)', () => {
  it('is a user from then on, of the default role and the name of the assertion', async () => {
    const site = await settled();
    const first = await site.visit('ann', { name: ' Ann ' });
    const second = await site.visit('ANN');
    expect(first.data).toMatchObject({ email: site.email('ann'), name: 'Ann', role: 30, isFirstLogin: true });
    expect(second.data.id).toBe(first.data.id);
  });

  it('becomes Admin when there is no user yet, regardless of groups', async () => {
    const site = await testEnvironment.site(
      await testEnvironment.start({ roleMapping: { readers: 10 }, syncRoles: true }),
    );
    expect(await roleOf(site, 'first', ['readers'])).toBe(50);
    expect(await roleOf(site, 'second', ['readers'])).toBe(10);
  });

  it('becomes the only Admin of all who come first at once', async () => {
    const site = await testEnvironment.site(defaultOrigin);
    const roles = await Promise.all(Array.from({ length: 8 }, (_, index) => roleOf(site, `visitor${index}`)));
    expect(roles.sort()).toEqual([30, 30, 30, 30, 30, 30, 30, 50]);
  });

  it('is one user, however many requests come at once', async () => {
    const site = await settled();
    const answers = await Promise.all(Array.from({ length: 8 }, () => site.visit('ann')));
    expect(new Set(answers.map(({ data }) => data.id as string)).size).toBe(1);
  });

  it('is the user who has the address already, with the role that user has', async () => {
    const site = await settled();
    await site.token('editor', 'ed');
    expect(await roleOf(site, 'ed')).toBe(40);
  });

  it('is of another site only there', async () => {
    const site = await settled();
    const other = await settled();
    const assertion = await site.assert('ann');
    const [here, there] = [
      await site.get('/auth/me', { assertion }),
      await other.get('/auth/me', { assertion }),
    ];
    expect(here.data.id).not.toBe(there.data.id);
  });

  it('is not authorized when users are not made so, and those who are users are', async () => {
    const site = await testEnvironment.site(
      await testEnvironment.start({ autoProvision: false, roleMapping: { editors: 40 } }),
    );
    for (const name of ['first', 'second']) {
      const answer = await site.visit(name, { groups: ['editors'] });
      expect([answer.status, answer.type, answer.text]).toEqual([
        403,
        'text/plain; charset=utf-8',
        'User not authorized',
      ]);
    }
    await site.token('admin', 'first');
    expect(await roleOf(site, 'first')).toBe(50);
    expect((await site.visit('second')).status).toBe(403);
  });

  it('has the configured default role', async () => {
    expect(await roleOf(await settled(await testEnvironment.start({ defaultRole: 10 })), 'ann')).toBe(10);
  });
});

describe('a disabled user', () => {
  it('is told so, at once and everywhere, and comes back when enabled', async () => {
    const apart = await testEnvironment.start({}, { isApart: true });
    const site = await settled();
    const assertion = await site.assert('ann');
    const ask = (at = site) => at.get('/auth/me', { assertion });
    for (const at of [site, site.at(apart)]) expect((await ask(at)).status).toBe(200);
    await administer(site, 'ann', 'disable');
    for (const at of [site, site.at(apart)]) {
      await waitForChange(200, async () => (await ask(at)).status);
      const answer = await ask(at);
      expect([answer.status, answer.type, answer.text]).toEqual([
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

describe('the role of somebody in groups', () => {
  const roleMapping = { writers: 20, editors: 40, admins: 50 } as const;

  it.each<[string, unknown, number]>([
    ['the mapped one', ['editors'], 40],
    [
      'that of the first mapped group, whatever their order in the assertion',
      ['admins', 'editors', 'writers'],
      20,
    ],
    ['the default one outside of mapped groups', ['others', 'Editors'], 30],
    ['the mapped one when groups are objects', [{ id: '1', name: 'editors' }, { id: '2' }, null, 7], 40],
    ['the default one when groups are no list', 'editors', 30],
  ])('is %s', async (_, groups, role) => {
    expect(await roleOf(await settled(await testEnvironment.start({ roleMapping })), 'ann', groups)).toBe(
      role,
    );
  });

  it('comes from custom claims, or from what the team says of the identity when the assertion names no groups', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping }));
    expect((await site.visit('ann', { custom: { groups: ['writers'] } })).data.role).toBe(20);
    testEnvironment.team.identities.set(site.email('bea'), { groups: [{ id: '1', name: 'editors' }] });
    expect(await roleOf(site, 'bea')).toBe(40);
    expect(await roleOf(site, 'nobody-knows')).toBe(30);
  });

  it('waits for the team to say, rather than be another', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping }));
    testEnvironment.team.responseMode = 'failing';
    const answer = await site.visit('ann');
    testEnvironment.team.responseMode = 'answering';
    expect([answer.status, answer.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await roleOf(site, 'ann')).toBe(30);
  });

  it('is set at the first sign-in and kept, without syncRoles', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping }));
    expect(await roleOf(site, 'ann', ['writers'])).toBe(20);
    expect(await roleOf(site, 'ann', ['editors'])).toBe(20);
    await administer(site, 'ann', { role: 10 });
    expect(await roleOf(site, 'ann', ['editors'])).toBe(10);
  });

  it('lets known people in while the team does not say who is in which group, without syncRoles', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping }));
    expect(await roleOf(site, 'ann', ['editors'])).toBe(40);
    testEnvironment.team.responseMode = 'failing';
    const answers = [await site.visit('ann'), await site.visit('bea')];
    testEnvironment.team.responseMode = 'answering';
    expect(answers.map(({ status }) => status)).toEqual([200, 503]);
    expect(answers[0]?.data.role).toBe(40);
  });

  it('follows the groups at every sign-in with syncRoles, and the default role when there are none', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping, syncRoles: true }));
    expect(await roleOf(site, 'ann', ['writers'])).toBe(20);
    expect(await roleOf(site, 'ann', ['editors'])).toBe(40);
    expect(await roleOf(site, 'ann', [])).toBe(30);
  });

  it('is changed by a new assertion alone: neither by the same one again nor by an older one', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping, syncRoles: true }));
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

  it('stays Admin for the last active one, and follows when there is another', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping, syncRoles: true }));
    expect(await roleOf(site, 'first', ['writers'])).toBe(50);
    expect(await roleOf(site, 'second', ['admins'])).toBe(50);
    expect(await roleOf(site, 'first', ['writers'])).toBe(20);
    expect(await roleOf(site, 'second', ['writers'])).toBe(50);
  });

  it('leaves one Admin when two are demoted at once', async () => {
    const site = await settled(await testEnvironment.start({ roleMapping, syncRoles: true }));
    expect(await roleOf(site, 'second', ['admins'])).toBe(50);
    const roles = await Promise.all(['first', 'second'].map((name) => roleOf(site, name, ['writers'])));
    expect(roles.sort()).toEqual([20, 50]);
  });
});

describe('the audit log', () => {
  it('tells who was made a user, who signed in, and whose role the groups changed', async () => {
    const site = await settled(
      await testEnvironment.start({ roleMapping: { editors: 40 }, syncRoles: true }),
    );
    const { id } = (await site.visit('ann')).data as { id: string };
    await site.visit('ann', { groups: ['editors'] });
    const log = await site.get(`/admin/audit-log?user=${id}`, { assertion: await site.assert('first') });
    const told = (log.data.items as { action: string; actor: { id: string }; details: object }[])
      .reverse()
      .map(({ action, actor, details }) => [action, actor.id, details]);
    expect(told).toEqual([
      ['user.created', id, { role: 30, method: 'edge-access' }],
      ['session.opened', id, { method: 'edge-access' }],
      ['user.role-changed', 'system:edge-access', { from: 30, to: 40 }],
      ['session.opened', id, { method: 'edge-access' }],
    ]);
  });
});
