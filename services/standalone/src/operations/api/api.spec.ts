import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { beginPurge } from '@quire/tenancy';
import { eventuallyPasses } from '@quire/testing';
import { apiTargets } from '@quire/topology';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { request } from 'undici';
import { openInstallation, type TestInstallation } from '../../installation.fixture.js';
import type { RunningProcess } from '../../process.js';
import { callOps, fromOwnPage, signIn, withToken } from '../operations.fixture.js';
import { openApiClient, type ApiClient } from './api.fixture.js';

let test: TestInstallation;
let running: RunningProcess;
let sql: TransactionalDatabase;
let operator: string;
let viewer: string;
let api: ApiClient;
beforeAll(async () => {
  test = await openInstallation('operators_api');
  sql = await test.installation.registryTables();
  running = await test.start(apiTargets);
  operator = await test.run('operator token create', { name: 'Olga', role: 'operator' });
  viewer = await test.run('operator token create', { name: 'Vera', role: 'viewer' });
  api = await openApiClient(running, operator);
});
afterEach(async () => {
  for (const { id } of await test.adminService.tenants.details())
    if (id !== 'default') await test.adminService.deletions.purge(id);
});
afterAll(async () => {
  await running.stop();
  await test.close();
});

const tenants = '/ops/api/tenants';
const acme = `${tenants}/acme`;
const body = { id: 'acme', hosts: ['acme.example'] };
const create = (changes: object = {}) => api.call('POST', tenants, { ...body, ...changes });
const statusAt = async (host: string) =>
  (await request(`http://127.0.0.1:${running.port}/_cms/api/auth/mode`, { headers: { host }, reset: true }))
    .statusCode;
const lastActions = async (count: number) => {
  const { data } = await api.call('GET', `/ops/api/log?limit=${count}`);
  return data['items'] as Record<string, unknown>[];
};
const itemOf = ({ data }: { data: Record<string, unknown> }) => data['item'] as Record<string, unknown>;
const pathsOf = ({ error }: { error: { details?: { issues: { path: string }[] } } }) =>
  error.details?.issues.map(({ path }) => path);

describe('POST /ops/api/tenants', () => {
  it('creates a site, which responds at its host, with a setup link', async () => {
    const limits = { entries: 10 };
    const response = await create({ limits, plan: 'small', hosts: ['ACME.example'] });
    expect([response.status, response.data]).toEqual([
      201,
      {
        item: expect.objectContaining({
          id: 'acme',
          state: 'active',
          hosts: body.hosts,
          limits,
          plan: 'small',
        }),
        setupLink: expect.stringContaining('acme.example'),
      },
    ]);
    expect(await statusAt('acme.example')).toBe(200);
    expect(await lastActions(1)).toEqual([
      expect.objectContaining({
        actor: 'operator:Olga',
        action: 'tenant create',
        target: 'acme',
        detail: { hosts: 'acme.example', plan: 'small' },
      }),
    ]);
  });

  it('responds to a repeated request with the site and a new link, and to another body with a conflict', async () => {
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data['item']).toEqual(first.data['item']);
    expect(second.data['setupLink']).toEqual(expect.stringContaining('acme.example'));
    await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
    expect((await create()).data['setupLink']).toBeNull();
    for (const changes of [{ hosts: ['other.example'] }, { plan: 'large' }, { limits: { entries: 1 } }])
      expect([changes, (await create(changes)).code]).toEqual([changes, 'CONFLICT']);
    const taken = await api.call('POST', tenants, { id: 'globex', hosts: body.hosts });
    expect([taken.status, taken.code]).toEqual([409, 'CONFLICT']);
    expect((await api.call('GET', `${tenants}/globex`)).code).toBe('NOT_FOUND');
  });

  it('creates a site once for requests at the same time', async () => {
    const creations = async () =>
      (await lastActions(100)).filter(({ action }) => action === 'tenant create').length;
    const before = await creations();
    const responses = await Promise.all([create(), create(), create()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(await creations()).toBe(before + 1);
  });

  it('completes a site that an interrupted creation has left without tables', async () => {
    await sql.query("INSERT INTO tenants (id) VALUES ('acme')");
    await sql.query("INSERT INTO tenant_hosts (host, tenant_id) VALUES ('acme.example', 'acme')");
    const { status, data } = await create();
    expect([status, data['setupLink']]).toEqual([200, expect.stringContaining('acme.example')]);
    expect(await statusAt('acme.example')).toBe(200);
  });

  it('leaves nothing when it fails', async () => {
    // A migration cannot create its table.
    await sql.query('CREATE SCHEMA site_acme');
    await sql.query('CREATE TABLE site_acme.media_items (id text)');
    const { status } = await create();
    expect(status).toBe(500);
    expect((await api.call('GET', acme)).code).toBe('NOT_FOUND');
    expect(await sql.query("SELECT 1 FROM pg_namespace WHERE nspname = 'site_acme'")).toEqual([]);
    expect((await lastActions(3)).map(({ action }) => action)).toEqual([
      'tenant purged',
      'tenant purge',
      'tenant create',
    ]);
    expect((await create()).status).toBe(201);
  });

  it('waits for the end of a purge of the same id', async () => {
    await create();
    await sql.transaction((tx) => beginPurge(tx, 'acme', 'any'));
    const { status, code, headers } = await create();
    expect([status, code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
  });

  it.each([
    [{ id: 'Acme' }, ['id']],
    [{ id: '' }, ['id']],
    [{ hosts: [] }, ['hosts']],
    [{ hosts: ['a.example', 'no host'] }, ['hosts.1']],
    [{ hosts: 'a.example' }, ['hosts']],
    [{ database: 'eu1' }, ['database']],
    [{ database: 'EU1' }, ['database']],
    [{ limits: { entries: 0 } }, ['limits.entries']],
    [{ settings: { defaultLocale: '?' } }, ['settings.defaultLocale']],
    [{ plan: '' }, ['plan']],
    [{ owner: 'x' }, ['']],
    [{ id: 1, hosts: [1] }, ['id', 'hosts.0']],
  ])('rejects %j, and names the fields', async (changes, paths) => {
    const response = await create(changes);
    expect([response.status, response.code, pathsOf(response)]).toEqual([400, 'VALIDATION_ERROR', paths]);
    expect((await api.call('GET', acme)).status).toBe(404);
  });

  it('rejects bodies that are no JSON, and large ones', async () => {
    const post = (text: string, headers = {}) =>
      api.call('POST', tenants, text, {
        'content-type': 'application/json',
        ...withToken(operator),
        ...headers,
      });
    expect((await post('{')).code).toBe('INVALID_JSON');
    expect((await post('{}', { 'content-type': 'text/plain' })).code).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect((await post(JSON.stringify({ id: 'x'.repeat(70_000) }))).code).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('changes of a site', () => {
  it('PATCH replaces the hosts and merges limits and settings, all or nothing, with one line in the log', async () => {
    await create({ limits: { entries: 10, mediaBytes: 1000 } });
    const update = { hosts: ['new.example'], limits: { entries: null }, settings: { defaultLocale: 'en' } };
    const { status, data } = await api.call('PATCH', acme, update);
    expect([status, data['item']]).toEqual([
      200,
      expect.objectContaining({ hosts: ['new.example'], limits: { mediaBytes: 1000 }, plan: null }),
    ]);
    await eventuallyPasses(
      () => statusAt('new.example'),
      (found) => expect(found).toBe(200),
    );
    expect(await statusAt('acme.example')).toBe(404);
    const [last, before] = await lastActions(2);
    expect([last?.['action'], before?.['action']]).toEqual(['tenant update', 'tenant create']);
    expect(last?.['detail']).toMatchObject({ hosts: 'new.example', limits: '{"mediaBytes":1000}' });
    const wrong = await api.call('PATCH', acme, { hosts: ['other.example'], limits: { entries: -1 } });
    expect([wrong.code, pathsOf(wrong)]).toEqual(['VALIDATION_ERROR', ['limits.entries']]);
    expect(itemOf(await api.call('GET', acme))['hosts']).toEqual(['new.example']);
    expect((await api.call('PATCH', acme, {})).code).toBe('VALIDATION_ERROR');
    expect((await api.call('PATCH', `${tenants}/unknown`, { plan: 'x' })).code).toBe('NOT_FOUND');
    expect((await api.call('PATCH', `${tenants}/unknown`, { hosts: ['x.example'] })).code).toBe('NOT_FOUND');
  });

  it('hosts are added and removed', async () => {
    await create();
    const added = await api.call('POST', `${acme}/hosts`, { hosts: ['www.acme.example'] });
    expect(itemOf(added)['hosts']).toEqual(['acme.example', 'www.acme.example']);
    const removed = await api.call('DELETE', `${acme}/hosts/acme.example`);
    expect(itemOf(removed)['hosts']).toEqual(['www.acme.example']);
    expect((await api.call('DELETE', `${acme}/hosts/acme.example`)).code).toBe('NOT_FOUND');
    expect((await lastActions(2)).map(({ action, detail }) => [action, detail])).toEqual([
      ['tenant remove-host', { host: 'acme.example' }],
      ['tenant add-host', { hosts: 'www.acme.example' }],
    ]);
    await create({ id: 'globex', hosts: ['globex.example'] });
    const taken = await api.call('POST', `${acme}/hosts`, { hosts: ['globex.example'] });
    expect(taken.code).toBe('CONFLICT');
  });

  it('suspend and resume; repeated they change nothing more', async () => {
    await create();
    const suspended = await api.call('POST', `${acme}/suspend`, { reason: 'unpaid' });
    expect(itemOf(suspended)).toMatchObject({ state: 'suspended', suspensionReason: 'unpaid' });
    expect((await api.call('POST', `${acme}/suspend`, { reason: ' ' })).code).toBe('VALIDATION_ERROR');
    await eventuallyPasses(
      () => statusAt('acme.example'),
      (found) => expect(found).toBe(503),
    );
    expect(itemOf(await api.call('POST', `${acme}/resume`))['state']).toBe('active');
    expect(itemOf(await api.call('POST', `${acme}/resume`))['state']).toBe('active');
    expect((await api.call('POST', `${tenants}/unknown/resume`)).code).toBe('NOT_FOUND');
  });

  it('delete and restore', async () => {
    await create();
    const { data } = await api.call('DELETE', `${acme}?keep=2d`);
    expect(data).toMatchObject({ deleted: true, id: 'acme' });
    expect(Date.parse(String(data['purgeAt'])) - Date.parse(String(data['deletedAt']))).toBe(172_800_000);
    expect((await api.call('DELETE', `${acme}?keep=2d`)).data).toEqual(data);
    await eventuallyPasses(
      () => statusAt('acme.example'),
      (found) => expect(found).toBe(410),
    );
    expect((await create()).code).toBe('CONFLICT');
    expect((await api.call('DELETE', `${acme}?keep=soon`)).code).toBe('VALIDATION_ERROR');
    expect((await api.call('DELETE', `${acme}?now=true`)).code).toBe('VALIDATION_ERROR');
    expect(itemOf(await api.call('POST', `${acme}/restore`))['state']).toBe('active');
    await sql.transaction((tx) => beginPurge(tx, 'acme', 'any'));
    expect((await api.call('POST', `${acme}/restore`)).code).toBe('CONFLICT');
    expect((await api.call('DELETE', acme)).code).toBe('NOT_FOUND');
    expect(itemOf(await api.call('GET', acme))).toMatchObject({ state: 'purging', entries: null });
  });
});

describe('reads', () => {
  it('list sites page by page, also those of one state', async () => {
    for (const id of ['acme', 'globex']) await create({ id, hosts: [`${id}.example`] });
    await api.call('POST', `${acme}/suspend`, { reason: 'unpaid' });
    const idsAt = async (query: string) => {
      const { data } = await api.call('GET', `${tenants}${query}`);
      return { ids: (data['items'] as { id: string }[]).map(({ id }) => id), next: data['nextCursor'] };
    };
    const first = await idsAt('?limit=2');
    expect(first.ids).toEqual(['acme', 'default']);
    expect(await idsAt(`?limit=2&cursor=${String(first.next)}`)).toEqual({
      ids: ['globex'],
      next: undefined,
    });
    expect((await idsAt('?state=suspended')).ids).toEqual(['acme']);
    for (const query of ['?limit=0', '?limit=101', '?state=gone', '?page=2'])
      expect([query, (await api.call('GET', tenants + query)).code]).toEqual([query, 'VALIDATION_ERROR']);
    expect((await api.call('GET', `${tenants}?cursor=x`)).code).toBe('INVALID_CURSOR');
  });

  it('show what a site has', async () => {
    await create();
    await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
    const item = itemOf(await api.call('GET', acme));
    expect(item).toMatchObject({
      id: 'acme',
      migrations: { state: 'current', behind: [], error: null },
      entries: 0,
      media: { files: 0, bytes: 0 },
      users: 1,
      jobs: { outbox: 0, waiting: 0, failed: 0, isComplete: true },
      schedules: { planned: 0, due: 0, lateSeconds: 0 },
    });
    const { bytes, relations } = item['storage'] as { bytes: number; relations: number };
    expect([bytes > 100_000, relations > 50]).toEqual([true, true]);
    expect((await api.call('GET', `${tenants}/unknown`)).code).toBe('NOT_FOUND');
  });

  it('list the log page by page, also the actions on one site', async () => {
    await create();
    await api.call('POST', `${acme}/suspend`, { reason: 'unpaid' });
    const first = await api.call('GET', '/ops/api/log?limit=1&target=acme');
    expect(first.data['items']).toEqual([
      expect.objectContaining({ action: 'tenant suspend', detail: { reason: 'unpaid' }, count: 1 }),
    ]);
    const next = await api.call(
      'GET',
      `/ops/api/log?limit=1&target=acme&cursor=${String(first.data['nextCursor'])}`,
    );
    expect(next.data['items']).toEqual([expect.objectContaining({ action: 'tenant create' })]);
  });
});

describe('the callers', () => {
  const calls: [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, sent: object | undefined][] = [
    ['GET', tenants, undefined],
    ['POST', tenants, body],
    ['GET', acme, undefined],
    ['PATCH', acme, { plan: 'x' }],
    ['DELETE', acme, undefined],
    ['POST', `${acme}/restore`, undefined],
    ['POST', `${acme}/suspend`, { reason: 'x' }],
    ['POST', `${acme}/resume`, undefined],
    ['POST', `${acme}/rename`, { id: 'acme' }],
    ['POST', `${acme}/move`, { database: null }],
    ['GET', `${acme}/move`, undefined],
    ['POST', `${acme}/hosts`, { hosts: ['x.example'] }],
    ['DELETE', `${acme}/hosts/acme.example`, undefined],
    ['GET', '/ops/api/log', undefined],
  ];

  it('are those of every operation of the document', () => {
    const count = Object.values(api.document.paths).flatMap((path) => Object.keys(path)).length;
    expect(calls).toHaveLength(count);
  });

  it.each(calls)('%s %s needs an operator, and to change anything the role', async (method, path, sent) => {
    await test.run('tenant create', { host: body.hosts }, ['acme']);
    if (path.endsWith('/move') && method === 'GET')
      await test.adminService.moves.request(
        'acme',
        { database: null, maxPauseSeconds: 1, keepsCopy: false },
        'spec',
      );
    const before = await test.run('tenant list --json');
    const anonymous = await api.call(method, path, sent, {});
    expect([anonymous.status, anonymous.code]).toEqual([401, 'NOT_AUTHENTICATED']);
    const { status, code } = await api.call(method, path, sent, withToken(viewer));
    expect([status, code]).toEqual(method === 'GET' ? [200, undefined] : [403, 'INSUFFICIENT_ROLE']);
    expect(await test.run('tenant list --json')).toBe(before);
    expect((await api.call(method, path, sent)).status).toBe(
      path.endsWith('/move') && method === 'POST' ? 202 : 200,
    );
  });

  it.each(calls)('%s %s is no path of the public port', async (method, path, sent) => {
    const response = await request(`http://127.0.0.1:${running.port}${path}`, {
      method,
      reset: true,
      headers: { ...withToken(operator), 'content-type': 'application/json' },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    expect([response.statusCode, await response.body.text()]).toEqual([
      404,
      expect.stringContaining('"code":"NOT_FOUND"'),
    ]);
  });

  it('with the session of a browser change nothing from other sites', async () => {
    const { cookie } = await signIn(running, operator);
    const post = (headers: Record<string, string>) =>
      api.call('POST', tenants, body, { cookie, 'content-type': 'application/json', ...headers });
    expect((await post({})).code).toBe('CSRF_REJECTED');
    expect((await post({ 'sec-fetch-site': 'cross-site' })).code).toBe('CSRF_REJECTED');
    expect((await post(fromOwnPage)).status).toBe(201);
  });

  it('get 404 for an unknown path, and 405 for another method', async () => {
    for (const path of ['/ops/api', '/ops/api/', '/ops/api/nothing', `${acme}/nothing`])
      expect([path, (await callOps(running, path, { headers: withToken(viewer) })).code]).toEqual([
        path,
        'NOT_FOUND',
      ]);
    const put = await callOps(running, acme, { method: 'PUT', headers: withToken(operator) });
    expect([put.status, put.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });
});

describe('GET /ops/api/openapi.json', () => {
  it('is OpenAPI 3.1 that passes the linter, for operators only', async () => {
    expect((await callOps(running, '/ops/api/openapi.json')).status).toBe(401);
    expect(api.document.openapi).toBe('3.1.0');
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(api.document), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('has been compared with a success of every operation', () => {
    const successes = Object.values(api.document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId, responses }) =>
        Object.keys(responses)
          .filter((status) => status.startsWith('2'))
          .map((status) => `${operationId} ${status}`),
      ),
    );
    expect(successes.filter((each) => !api.compared.has(each))).toEqual([]);
  });
});
