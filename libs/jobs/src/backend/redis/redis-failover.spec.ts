import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, startRedisServer, type RedisServer } from '@quire/testing';
import { openQueue, withinMs } from './failover.fixture.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
}, withinMs);

async function start(settings: readonly string[], options?: { isSentinel: boolean }): Promise<RedisServer> {
  const server = await startRedisServer(settings, options);
  closers.push(() => server.stop());
  return server;
}

const startRedis = () => start(['save ""', 'repl-diskless-sync-delay 0']);

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

const replicates = (server: RedisServer) => async () =>
  (await server.client.info('replication')).includes('master_link_status:up');

describe('the queue backend on Redis', () => {
  it(
    'goes on after its server has become a replica, with connections to it open',
    async () => {
      const [former, next] = [await startRedis(), await startRedis()];
      const address = await openAddress(former.port);
      const { add, seen } = await openQueue(`redis://127.0.0.1:${address.port}`, closers);
      expect(await add('before')).toBe(true);
      expect(await eventually(async () => seen.includes('before'))).toBe(true);
      address.leadTo(next.port);
      await former.client.replicaof('127.0.0.1', next.port);
      expect(await eventually(() => add('after'), Boolean, withinMs)).toBe(true);
      expect(await eventually(async () => seen.includes('after'), Boolean, withinMs)).toBe(true);
    },
    2 * withinMs,
  );

  it(
    'finds the new primary by its sentinels, and loses no job that had reached a replica',
    async () => {
      const [primary, replica] = [await startRedis(), await startRedis()];
      await replica.client.replicaof('127.0.0.1', primary.port);
      expect(await eventually(replicates(replica))).toBe(true);
      const sentinel = await start(
        [
          `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
          'sentinel down-after-milliseconds main 500',
          'sentinel failover-timeout main 2000',
        ],
        { isSentinel: true },
      );
      const knowsReplica = async () =>
        String(await sentinel.client.call('SENTINEL', 'replicas', 'main')).includes(String(replica.port));
      expect(await eventually(knowsReplica, Boolean, withinMs)).toBe(true);
      const { add, seen } = await openQueue(`redis+sentinel://127.0.0.1:${sentinel.port}/main`, closers);
      expect(await add('before')).toBe(true);
      expect(await eventually(async () => seen.includes('before'))).toBe(true);
      primary.process.kill('SIGKILL');
      expect(await eventually(() => add('after'), Boolean, withinMs)).toBe(true);
      expect(await eventually(async () => seen.includes('after'), Boolean, withinMs)).toBe(true);
      expect(await replica.client.role()).toEqual(expect.arrayContaining(['master']));
    },
    2 * withinMs,
  );
});
