import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordedProcess } from '@quire/tenancy';
import { eventually, eventuallyPasses } from '@quire/testing';
import { apiTargets } from '@quire/topology';
import { request } from 'undici';
import { AppContainer } from '../app-container.js';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import type { RunningProcess } from '../process.js';
import { callOps, fromOwnPage, signIn, withToken } from './operations.fixture.js';
import { renderOverview } from './overview/overview-page.js';
import { readOverview, type Overview } from './overview/read-overview.js';
import { Throughput } from './overview/throughput.js';

let test: TestInstallation;
let running: RunningProcess;
let viewer: string;
const create = (name: string, role = 'viewer') => test.run('operator token create', { name, role });
const idOf = async (name: string) =>
  (JSON.parse(await test.run('operator token list', { json: true })) as { id: string; name: string }[]).find(
    (token) => token.name === name,
  )?.id ?? '';
beforeAll(async () => {
  test = await openInstallation('operations');
  running = await test.start(apiTargets);
  viewer = await create('Vera');
});
afterAll(async () => {
  await running.stop();
  await test.close();
});

const html = { accept: 'text/html,application/xhtml+xml' };
const paths = ['/ops', '/ops/', '/ops/overview', '/ops/queues', '/ops/queues/api/queues', '/ops/nothing'];

describe('the operations port (decision 50)', () => {
  it.each(paths)('%s needs an operator: 401 for programs, the sign-in for browsers', async (path) => {
    const response = await callOps(running, path);
    expect([response.status, response.code]).toEqual([401, 'NOT_AUTHENTICATED']);
    const page = await callOps(running, path, { headers: html });
    expect([page.status, page.headers['location']]).toEqual([303, '/ops/login']);
    const post = await callOps(running, path, { method: 'POST', headers: html });
    expect([post.status, post.code]).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it.each([
    ['an unknown token', 'Bearer qot_unknown'],
    ['a token with another prefix', 'Bearer ec_pat_x'],
    ['no token', 'Bearer'],
    ['another scheme', 'Basic cW90Xw=='],
  ])('rejects %s', async (_, authorization) => {
    const response = await callOps(running, '/ops/overview', { headers: { authorization, ...html } });
    expect([response.status, response.code]).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('accepts no token of a site', async () => {
    const token = await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    const response = await callOps(running, '/ops/overview', { headers: withToken(token) });
    expect(response.status).toBe(401);
  });

  it.each(paths)('%s is no path of the public port, with and without a token', async (path) => {
    for (const headers of [
      {},
      withToken(viewer),
      { ...html, cookie: (await signIn(running, viewer)).cookie },
    ]) {
      const response = await request(`http://127.0.0.1:${running.port}${path}`, { headers });
      expect([response.statusCode, await response.body.text()]).toEqual([
        404,
        expect.stringContaining('"code":"NOT_FOUND"'),
      ]);
    }
  });

  it('is not served by a process without the gateway', async () => {
    const service = await test.start(['auth']);
    for (const path of paths)
      expect([path, (await callOps(service, path, { headers: withToken(viewer) })).status]).toEqual([
        path,
        404,
      ]);
    await service.stop();
  });

  it('responds with 404 to an operator for an unknown path', async () => {
    const response = await callOps(running, '/ops/nothing', { headers: withToken(viewer) });
    expect([response.status, response.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('has no path that only begins with the name', async () => {
    expect((await callOps(running, '/opsx', { headers: withToken(viewer) })).status).toBe(404);
    expect((await callOps(running, '/opsx')).status).toBe(404);
  });
});

describe('the sign-in of browsers', () => {
  it('is a form whose page loads only its style and its icon, and is not cached', async () => {
    const page = await callOps(running, '/ops/login');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toContain('<script');
    const files = [...page.text.matchAll(/(?:href|src)="(\/ops\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(files).toHaveLength(2);
    for (const path of files) expect((await callOps(running, path)).status).toBe(200);
    expect((await callOps(running, '/ops/assets/x/login.js')).status).toBe(401);
  });

  it('sets a cookie for /ops that scripts and other sites cannot use, without the token', async () => {
    const { status, headers, cookie } = await signIn(running, viewer);
    expect([status, headers['location']]).toEqual([303, '/ops']);
    expect(headers['set-cookie']).toMatch(
      /^quire_ops=[\w.-]+; Max-Age=28800; Path=\/ops; HttpOnly; SameSite=Strict$/,
    );
    expect(cookie).not.toContain(viewer.slice(4));
    const page = await callOps(running, '/ops', { headers: { cookie, ...html } });
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.text).toContain('Vera (viewer)');
  });

  it('sets a secure cookie behind a proxy that ends TLS', async () => {
    const { headers } = await signIn(running, viewer, { ...fromOwnPage, 'x-forwarded-proto': 'https' });
    expect(headers['set-cookie']).toContain('; Secure');
  });

  it('rejects an invalid token with the form', async () => {
    const { status, text, headers } = await signIn(running, 'qot_wrong');
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    expect(text).toContain('The token is not valid');
  });

  it.each([
    ['without headers of a browser', {}],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port of the host', { 'sec-fetch-site': 'same-site' }],
    ['with the Origin of another site', { origin: 'https://evil.example' }],
    ['with an opaque Origin', { origin: 'null' }],
  ])('rejects a form %s', async (_, headers) => {
    const response = await signIn(running, viewer, headers);
    expect([response.status, response.code]).toEqual([403, 'CSRF_REJECTED']);
  });

  it('accepts a form with the Origin of the port', async () => {
    expect((await signIn(running, viewer, { origin: `http://127.0.0.1:${running.opsPort}` })).status).toBe(
      303,
    );
  });

  it('rejects changes with the cookie by other sites, and none by a Bearer token', async () => {
    const { cookie } = await signIn(running, viewer);
    const post = (headers: Record<string, string>) =>
      callOps(running, '/ops/nothing', { method: 'POST', headers });
    expect((await post({ cookie, 'sec-fetch-site': 'cross-site' })).code).toBe('CSRF_REJECTED');
    expect((await post({ cookie })).code).toBe('CSRF_REJECTED');
    expect((await post({ cookie, ...fromOwnPage })).code).toBe('NOT_FOUND');
    expect((await post(withToken(viewer))).code).toBe('NOT_FOUND');
  });

  it('rejects a session that was changed', async () => {
    const { cookie } = await signIn(running, viewer);
    const [id = '', end = '', code = ''] = cookie.slice('quire_ops='.length).split('.');
    const other = await create('Other', 'operator').then(() => idOf('Other'));
    for (const forged of [
      `${id}.${Number(end) + 1}.${code}`,
      `${other}.${end}.${code}`,
      `${id}.${end}.`,
      `${id}.${end}.${'A'.repeat(code.length)}`,
      'x',
    ]) {
      const response = await callOps(running, '/ops/overview', {
        headers: { cookie: `quire_ops=${forged}` },
      });
      expect([forged, response.status]).toEqual([forged, 401]);
    }
  });

  it('ends with the sign-out', async () => {
    const { cookie } = await signIn(running, viewer);
    const end = (headers: Record<string, string>) =>
      callOps(running, '/ops/logout', { method: 'POST', headers: { cookie, ...headers } });
    expect((await end({ 'sec-fetch-site': 'cross-site' })).code).toBe('CSRF_REJECTED');
    const { status, headers } = await end(fromOwnPage);
    expect([status, headers['location']]).toEqual([303, '/ops/login']);
    expect(headers['set-cookie']).toMatch(/^quire_ops=; Max-Age=0; Path=\/ops;/);
  });

  it('ends within seconds of the revocation of the token, as the token itself', async () => {
    const token = await create('Rita');
    const { cookie } = await signIn(running, token);
    const statuses = async () => [
      (await callOps(running, '/ops/overview', { headers: { cookie } })).status,
      (await callOps(running, '/ops/overview', { headers: withToken(token) })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await test.run('operator token revoke', {}, [await idOf('Rita')]);
    await eventuallyPasses(statuses, (found) => expect(found).toEqual([401, 401]));
  });

  it('limits invalid tokens of an address', async () => {
    const limited = await test.start(apiTargets);
    const failed = [];
    for (let attempt = 0; attempt < 10; attempt += 1)
      failed.push((await signIn(limited, 'qot_wrong')).status);
    expect(failed).toEqual(Array.from({ length: 10 }, () => 401));
    const page = await signIn(limited, viewer);
    expect([page.status, page.headers['set-cookie']]).toEqual([429, undefined]);
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    const response = await callOps(limited, '/ops/overview', { headers: withToken('qot_wrong') });
    expect([response.status, response.code]).toEqual([429, 'RATE_LIMITED']);
    await limited.stop();
  });
});

describe('the overview', () => {
  const read = async (of: RunningProcess) => {
    const { text } = await callOps(of, '/ops/overview', { headers: withToken(viewer) });
    return (JSON.parse(text) as { data: Overview }).data;
  };

  it('has the process, its dependencies, the queues with their workers, and pending work', async () => {
    const all = await test.start([...apiTargets, 'content-worker']);
    const overview = await eventually(
      () => read(all),
      ({ processes }) => processes?.some(({ targets }) => targets.includes('content-worker')) ?? false,
    );
    expect(overview.process).toMatchObject({
      targets: expect.arrayContaining(['content', 'content-worker']),
    });
    expect(overview.health.dependencies).toMatchObject({ 'database:content': 'ok' });
    expect(overview.queues?.find(({ queue }) => queue === 'content')).toMatchObject({
      workers: 1,
      isPaused: false,
    });
    expect(overview.queues?.find(({ queue }) => queue === 'media')).toMatchObject({ workers: 0 });
    expect(overview.workers).toEqual([
      { process: expect.stringMatching(/^content-worker@.+:\d+$/), queues: ['content'] },
    ]);
    const process = overview.processes?.find(({ targets }) => targets.includes('content-worker'));
    expect(process).toMatchObject({ version: overview.process.version, targets: overview.process.targets });
    expect(overview.outbox?.queues).toContainEqual({ queue: 'search', count: 0, oldestSeconds: 0 });
    expect(overview.backlog?.map(({ work }) => work)).toContain('search_tasks');
    expect(overview.schedules).toEqual({ planned: 0, due: 0, lateSeconds: 0 });
    await all.stop();
  });

  it('has the paused sites, and the time of each pause', async () => {
    await test.run('queue pause', { tenant: 'default' }, ['media']);
    const overview = await readOverview(test.installation, test.installation);
    expect(overview.pauses).toEqual([
      { queue: 'media', tenantId: 'default', pausedAt: expect.stringMatching(/Z$/) },
    ]);
    const page = renderOverview({ id: '1', name: 'Vera', role: 'viewer', hash: '' }, overview);
    expect(page.replace(/\s+/g, '')).toContain(
      `<td>media</td><td>default</td><td>${overview.pauses?.[0]?.pausedAt}</td>`,
    );
    await test.run('queue resume', { tenant: 'default' }, ['media']);
  });

  it('is a page without scripts, with the same facts', async () => {
    const { status, text } = await callOps(running, '/ops', { headers: { ...withToken(viewer), ...html } });
    expect(status).toBe(200);
    expect(text).not.toContain('<script');
    for (const name of ['database:content', 'media', 'no worker', 'search_tasks', 'Busiest sites'])
      expect(text).toContain(name);
  });

  it('marks the versions of processes while they differ', async () => {
    const overview = await readOverview(test.installation, test.installation);
    const [known] = overview.processes ?? [];
    const render = (...versions: string[]) => {
      const processes = versions.map((version) => ({ ...known, version }) as RecordedProcess);
      return renderOverview({ id: '1', name: 'Vera', role: 'viewer', hash: '' }, { ...overview, processes });
    };
    expect(render('1.0.0', '1.0.0')).not.toContain('<td class="attention">1.0.0</td>');
    const page = render('1.0.0', '1.1.0');
    for (const version of ['1.0.0', '1.1.0']) expect(page).toContain(`<td class="attention">${version}</td>`);
    expect(page).toContain('2 versions run: 1.0.0, 1.1.0');
  });

  it('has the rate of finished jobs since an earlier read', async () => {
    const throughput = new Throughput();
    const rates = async () =>
      (await readOverview(test.installation, test.installation, throughput)).queues?.map(
        ({ finishedPerMinute }) => finishedPerMinute,
      );
    expect(new Set(await rates())).toEqual(new Set([null]));
    await eventually(
      async () => new Set(await rates()),
      (found) => found.has(0),
    );
    expect(new Set(await rates())).toEqual(new Set([0]));
  });

  it('is read again no earlier than after some seconds', async () => {
    const times: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) times.push((await read(running)).at);
    // The time may be over between two of them.
    expect(new Set(times).size).toBeLessThan(3);
  });

  it('has the parts that can be read while the queue store does not respond', async () => {
    const changes = { REDIS_URL: 'redis://127.0.0.1:1' };
    const own = new AppContainer({ ...test.environment, ...changes }, { defaultLocale: 'en' }, ['spec']);
    const overview = await readOverview(test.installation, own);
    expect([overview.queues, overview.workers]).toEqual([null, null]);
    expect(overview.outbox?.failed).toBe(0);
    expect(overview.backlog?.length).toBeGreaterThan(3);
    const page = renderOverview({ id: '1', name: 'Vera', role: 'viewer', hash: '' }, overview);
    expect(page.match(/Not available/g)).toHaveLength(2);
    await own.lifecycle.stop();
  });
});
