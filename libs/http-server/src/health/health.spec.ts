import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '@quire/observability';
import { Health } from './health.js';

const metrics = new Metrics();
metrics.startRecordingRequests();
const health = new Health(metrics, { maxAgeMs: 0 });
let databaseAnswers = true;
let redisAnswers = true;
const server = createServer((request, response) => {
  if (!health.handle(request, response)) response.end('another path');
});
let origin: string;

beforeAll(async () => {
  const answer = (isAnswering: boolean) =>
    isAnswering ? Promise.resolve() : Promise.reject(new Error('password of the store'));
  health.add({ name: 'database', isNeeded: true, check: () => answer(databaseAnswers) });
  health.add({ name: 'redis', isNeeded: false, check: () => answer(redisAnswers) });
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

  it('/readyz returns 503 without a needed dependency, and names it without the reason', async () => {
    databaseAnswers = false;
    expect(await get('/readyz')).toEqual([
      503,
      '{"status":"not ready","dependencies":{"database":"failed","redis":"ok"}}',
    ]);
    databaseAnswers = true;
    expect(await get('/readyz')).toEqual([
      200,
      '{"status":"ready","dependencies":{"database":"ok","redis":"ok"}}',
    ]);
  });

  it('/readyz returns 200 without a dependency that is not needed (decision 48)', async () => {
    redisAnswers = false;
    expect(await get('/readyz')).toEqual([
      200,
      '{"status":"degraded","dependencies":{"database":"ok","redis":"failed"}}',
    ]);
    const [, text] = await get('/metrics');
    expect(text).toContain('quire_dependency_up{name="database"} 1\nquire_dependency_up{name="redis"} 0');
    redisAnswers = true;
  });

  it('/readyz gives up a needed dependency that hangs', async () => {
    const hanging = new Health(new Metrics());
    hanging.add({ name: 'queue', isNeeded: true, check: () => new Promise(() => undefined) });
    expect(await hanging.readiness()).toEqual({ status: 'not ready', dependencies: { queue: 'failed' } });
  });

  it('/readyz does not wait for the end of a check of another dependency, and reports its last result', async () => {
    let answer: (() => void) | undefined;
    let isHanging = false;
    const check = () => (isHanging ? new Promise<void>((resolve) => (answer = resolve)) : Promise.resolve());
    const hanging = new Health(new Metrics(), { maxAgeMs: 0 });
    hanging.add({ name: 'redis', isNeeded: false, check });
    expect(await hanging.readiness()).toEqual({ status: 'ready', dependencies: { redis: 'ok' } });
    isHanging = true;
    expect(await hanging.readiness()).toEqual({ status: 'ready', dependencies: { redis: 'ok' } });
    expect(answer).toBeDefined();
    answer?.();
  });

  it('/readyz checks nothing once the process stops', async () => {
    const stopping = new Health(new Metrics());
    let checks = 0;
    stopping.add({ name: 'queue', isNeeded: true, check: async () => void (checks += 1) });
    stopping.beginStop();
    expect((await stopping.readiness()).status).toBe('not ready');
    expect(checks).toBe(0);
  });

  it('shares a check between requests', async () => {
    let checks = 0;
    const shared = new Health(new Metrics(), { maxAgeMs: 60_000 });
    shared.add({ name: 'queue', isNeeded: true, check: async () => void (checks += 1) });
    await Promise.all([shared.readiness(), shared.readiness()]);
    expect((await shared.readiness()).status).toBe('ready');
    expect(checks).toBe(1);
    shared.beginStop();
    expect((await shared.readiness()).status).toBe('not ready');
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
