import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import { Redis } from 'ioredis';
import { freshName, job, oneWorker, stopWithinSeconds } from '../conformance/cases.js';
import type { QueueBackend } from '../queue-backend.js';
import { openRedisBackend } from './redis-backend.js';

const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
const withinMs = 60_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
}, withinMs);

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
  );
  await new Promise((done) => server.close(done));
  return port;
}

interface RedisServer {
  port: number;
  client: Redis;
  process: ChildProcess;
}

/** Starts redis-server, and waits until it answers. */
async function startServer(
  lines: (port: number) => readonly string[],
  isSentinel = false,
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-redis-failover-'));
  const port = await freePort();
  const file = join(folder, 'redis.conf');
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines(port)].join('\n'));
  const process = spawn('redis-server', [file, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
  const client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  closers.push(() => {
    client.disconnect();
    process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await client.ping();
  return { port, client, process };
}

const startRedis = () => startServer(() => ['save ""', 'repl-diskless-sync-delay 0']);

/** Leads new connections to a port that changes, as a name that leads to the new primary after a failover. */
async function openAddress(first: number): Promise<{ port: number; leadTo: (port: number) => void }> {
  let current = first;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(current, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const port = await new Promise<number>((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
  );
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port, leadTo: (next) => (current = next) };
}

/** A backend with a worker of one queue that collects the ids of its jobs. */
async function openQueue(redisUrl: string) {
  const backend: QueueBackend = openRedisBackend({ redisUrl, namespace: 'failover', logger });
  closers.push(() => backend.close());
  const name = freshName();
  const seen = new Set<string>();
  const worker = await backend.worker(name, oneWorker, async ({ id }) => seen.add(id));
  closers.push(() => worker.stop(stopWithinSeconds));
  const add = (id: string) =>
    backend
      .queue(name)
      .addAll([job(id)])
      .then(
        () => true,
        () => false,
      );
  return { add, seen };
}

const replicates = (server: RedisServer) => async () =>
  (await server.client.info('replication')).includes('master_link_status:up');

describe('the queue backend on Redis', () => {
  it(
    'goes on after its server has become a replica, with connections to it open',
    async () => {
      const [former, next] = [await startRedis(), await startRedis()];
      const address = await openAddress(former.port);
      const { add, seen } = await openQueue(`redis://127.0.0.1:${address.port}`);
      expect(await add('before')).toBe(true);
      expect(await eventually(async () => seen.has('before'))).toBe(true);
      address.leadTo(next.port);
      await former.client.replicaof('127.0.0.1', next.port);
      expect(await eventually(() => add('after'), Boolean, withinMs)).toBe(true);
      expect(await eventually(async () => seen.has('after'), Boolean, withinMs)).toBe(true);
    },
    2 * withinMs,
  );

  it(
    'finds the new primary by its sentinels, and loses no job that had reached a replica',
    async () => {
      const [primary, replica] = [await startRedis(), await startRedis()];
      await replica.client.replicaof('127.0.0.1', primary.port);
      expect(await eventually(replicates(replica))).toBe(true);
      const sentinel = await startServer(
        () => [
          `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
          'sentinel down-after-milliseconds main 500',
          'sentinel failover-timeout main 2000',
        ],
        true,
      );
      const knowsReplica = async () =>
        String(await sentinel.client.call('SENTINEL', 'replicas', 'main')).includes(String(replica.port));
      expect(await eventually(knowsReplica, Boolean, withinMs)).toBe(true);
      const { add, seen } = await openQueue(`redis+sentinel://127.0.0.1:${sentinel.port}/main`);
      expect(await add('before')).toBe(true);
      expect(await eventually(async () => seen.has('before'))).toBe(true);
      primary.process.kill('SIGKILL');
      expect(await eventually(() => add('after'), Boolean, withinMs)).toBe(true);
      expect(await eventually(async () => seen.has('after'), Boolean, withinMs)).toBe(true);
      expect(await replica.client.role()).toEqual(expect.arrayContaining(['master']));
    },
    2 * withinMs,
  );
});
