import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '@quire/observability';
import { Health } from './health.js';

const health = new Health(new Metrics());
let databaseAnswers = true;
const server = createServer((request, response) => {
  if (!health.handle(request, response)) response.end('another path');
});
let origin: string;

beforeAll(async () => {
  health.add({
    name: 'database',
    check: () =>
      databaseAnswers ? Promise.resolve() : Promise.reject(new Error('password of the database')),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function get(path: string): Promise<[number, string]> {
  const answer = await fetch(origin + path);
  return [answer.status, await answer.text()];
}

describe('the health of a process (design 1)', () => {
  it('/healthz says that it lives, also while a dependency does not answer', async () => {
    databaseAnswers = false;
    expect(await get('/healthz')).toEqual([200, '{"status":"alive"}']);
  });

  it('/readyz answers 503 and names what fails, and nothing of why', async () => {
    databaseAnswers = false;
    expect(await get('/readyz')).toEqual([
      503,
      '{"status":"not ready","dependencies":{"database":"failed"}}',
    ]);
    databaseAnswers = true;
    expect(await get('/readyz')).toEqual([200, '{"status":"ready","dependencies":{"database":"ok"}}']);
  });

  it('/readyz does not wait for a dependency that hangs', async () => {
    const hanging = new Health(new Metrics());
    hanging.add({ name: 'queue', check: () => new Promise(() => undefined) });
    expect(await hanging.readiness()).toEqual({ isReady: false, dependencies: { queue: 'failed' } });
  });

  it.each(['/healthz', '/readyz', '/metrics'])(
    '%s is of the type that it says, and kept nowhere',
    async (path) => {
      const { headers } = await fetch(origin + path);
      expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
        'nosniff',
        'private, no-store',
      ]);
    },
  );

  it('/metrics gives what Prometheus reads', async () => {
    const answer = await fetch(`${origin}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('# TYPE quire_http_request_duration_seconds histogram');
  });

  it('leaves every other path alone', async () => {
    expect(await get('/healthz/more')).toEqual([200, 'another path']);
  });

  it('is not ready from the moment the process begins to stop', async () => {
    health.beginStop();
    expect((await get('/readyz'))[0]).toBe(503);
    expect((await get('/healthz'))[0]).toBe(200);
  });
});
