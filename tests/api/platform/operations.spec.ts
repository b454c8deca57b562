import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventuallyPasses, runCommand, useSite } from '@quire/testing';
import { request } from 'undici';

const site = useSite();
const tokens = { viewer: '', operator: '' };

beforeAll(async () => {
  for (const role of ['viewer', 'operator'] as const) {
    const args = ['operator', 'token', 'create', '--name', `${role} of ${site.tenant}`, '--role', role];
    tokens[role] = (await runCommand(site, args)).stdout.trim();
  }
});

async function ops(path: string, { token, method = 'GET' }: { token?: string; method?: 'GET' | 'PUT' } = {}) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await request(site.system.opsOrigin + path, { method, headers });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

describe('/ops of the operations port (decision 50)', () => {
  it('shows the installation to operators only', async () => {
    expect((await ops('/ops/overview')).status).toBe(401);
    const part = expect.any(Array);
    const parts = { processes: part, queues: part, workers: part, backlog: part };
    const expected = { health: { status: 'ready' }, outbox: { failed: expect.any(Number) }, ...parts };
    // A part whose read takes too long is null.
    await eventuallyPasses(
      () => ops('/ops/overview', { token: tokens.viewer }),
      ({ status, text }) => expect([status, JSON.parse(text)]).toMatchObject([200, { data: expected }]),
    );
    expect((await ops('/ops', { token: tokens.viewer })).text).toContain('<h1>Overview</h1>');
  });

  it('accepts no token of a site, and its tokens are valid at no site', async () => {
    const { token } = await site.as('admin');
    expect((await ops('/ops/overview', { token: token ?? '' })).status).toBe(401);
    const { status } = await request(`${site.system.origin}/_cms/api/content/posts`, {
      headers: { host: site.host, authorization: `Bearer ${tokens.operator}` },
    }).then(async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }));
    expect(status).toBe(401);
  });

  it.each(['/ops', '/ops/login', '/ops/overview', '/ops/queues', '/ops/queues/api/queues'])(
    '%s is no path of a site or of the public port',
    async (path) => {
      const headers = { authorization: `Bearer ${tokens.operator}` };
      for (const host of [site.host, new URL(site.system.origin).host]) {
        const response = await request(site.system.origin + path, { headers: { ...headers, host } });
        expect(response.statusCode).toBe(404);
        await response.body.dump();
      }
    },
  );

  it('serves the dashboard with its files, and its reads', async () => {
    const { text } = await ops('/ops/queues', { token: tokens.viewer });
    const files = [...text.matchAll(/src="(static\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await ops(`/ops/queues/${file}`, { token: tokens.viewer });
      expect([file, status, headers['content-type']]).toEqual([file, 200, 'text/javascript; charset=utf-8']);
    }
    const { queues } = JSON.parse((await ops('/ops/queues/api/queues', { token: tokens.viewer })).text) as {
      queues: { name: string; readOnlyMode: boolean; hasWorkers: boolean }[];
    };
    expect(queues).toContainEqual(
      expect.objectContaining({ name: 'search', readOnlyMode: true, hasWorkers: true }),
    );
  });

  it('runs allowed changes of an operator, logs them, and rejects all others', async () => {
    const put = async (path: string, token: string) =>
      (await ops(`/ops/queues/api/queues/${path}`, { method: 'PUT', token })).status;
    expect(await put('audit/retry/failed', tokens.operator)).toBe(200);
    expect(await put('audit/retry/failed', tokens.viewer)).toBe(403);
    expect(await put('audit/obliterate', tokens.operator)).toBe(403);
    const log = await runCommand(site, ['operator', 'log', '--json']);
    const actor = `operator:operator of ${site.tenant}`;
    const own = (JSON.parse(log.stdout) as { actor: string }[]).filter((action) => action.actor === actor);
    expect(own).toMatchObject([{ action: 'queue retry', target: 'audit' }]);
  });
});
