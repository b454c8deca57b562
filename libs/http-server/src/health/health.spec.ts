import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '@quire/observability';
import { Health } from './health.js';

const metrics = new Metrics();
metrics.startRecordingRequests();
const health = new Health(metrics);
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
  const response = await fetch(origin + path);
  return [response.status, await response.text()];
}

describe('Health (design 1)', () => {
  it('/healthz returns 200, also while a dependency does not respond', async () => {
    databaseAnswers = false;
    expect(await get('/healthz')).toEqual([200, '{"status":"alive"}']);
  });

  it('/readyz returns 503 and names the failed dependencies without the reason', async () => {
    databaseAnswers = false;
    expect(await get('/readyz')).toEqual([
      503,
      '{"status":"not ready","dependencies":{"database":"failed"}}',
    ]);
    databaseAnswers = true;
    expect(await get('/readyz')).toEqual([200, '{"status":"ready","dependencies":{"database":"ok"}}']);
  });

  it('/readyz does not wait for an unresponsive dependency', async () => {
    const hanging = new Health(new Metrics());
    hanging.add({ name: 'queue', check: () => new Promise(() => undefined) });
    expect(await hanging.readiness()).toEqual({ isReady: false, dependencies: { queue: 'failed' } });
  });

  it.each(['/healthz', '/readyz', '/metrics'])('%s has its content type, and is not cached', async (path) => {
    const { headers } = await fetch(origin + path);
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
      'nosniff',
      'private, no-store',
    ]);
  });

  it('/metrics returns the Prometheus format', async () => {
    const response = await fetch(`${origin}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('# TYPE quire_http_request_duration_seconds histogram');
  });

  it('ignores every other path', async () => {
    expect(await get('/healthz/more')).toEqual([200, 'another path']);
  });

  it('is not ready from the start of the shutdown', async () => {
    health.beginStop();
    expect((await get('/readyz'))[0]).toBe(503);
    expect((await get('/healthz'))[0]).toBe(200);
  });
});
