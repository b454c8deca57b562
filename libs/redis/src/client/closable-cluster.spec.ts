import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, startRedisCluster } from '@quire/testing';
import { ClosableCluster } from './closable-cluster.js';
import { createRedis, type RedisClientOptions } from './create-redis.js';

const unreachable = 'redis+cluster://127.0.0.1:1,127.0.0.1:2';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function open(url: string, options: Partial<RedisClientOptions> = {}): ClosableCluster {
  const given = { whenDown: 'wait', connectTimeoutMs: 1_000, maxReconnectMs: 60_000 } as const;
  const client = createRedis(url, { ...given, ...options });
  if (!(client instanceof ClosableCluster)) throw new Error('It is no cluster');
  closers.push(() => client.disconnectAll());
  client.on('error', () => undefined);
  return client;
}

/** Waits for a status of a client. `once` of Node.js rejects for its errors. */
const reached = (client: ClosableCluster, status: string) =>
  new Promise<void>((done) => client.once(status, () => done()));

describe('a client of a cluster that is down', () => {
  it('ends, and rejects the commands that wait, when it is closed', async () => {
    const client = open(unreachable);
    await reached(client, 'reconnecting');
    const waiting = [client.get('a'), client.pipeline().get('a').exec()];
    const ended = reached(client, 'end');
    client.disconnectAll();
    await ended;
    for (const command of waiting) await expect(command).rejects.toThrow();
  });

  it('ends when it is closed before its first attempt has begun', async () => {
    const client = open(unreachable);
    const waiting = [client.get('a'), client.pipeline().get('a').exec()];
    const ended = reached(client, 'end');
    client.disconnectAll();
    await ended;
    for (const command of waiting) await expect(command).rejects.toThrow();
  });

  it('ends its duplicates too', async () => {
    const client = open(unreachable);
    const duplicate = client.duplicate();
    await reached(duplicate, 'reconnecting');
    const ended = reached(duplicate, 'end');
    client.disconnectAll();
    await ended;
  });

  it('attempts to connect again after it was disconnected and connected by its user', async () => {
    const client = open(unreachable, { maxReconnectMs: 0 });
    await reached(client, 'reconnecting');
    client.disconnect();
    client.connect().catch(() => undefined);
    await reached(client, 'reconnecting');
    await reached(client, 'reconnecting');
    expect(client.status).not.toBe('end');
  });

  it('reports the failure of a node as an error', async () => {
    const client = open(unreachable);
    const messages: string[] = [];
    client.on('error', ({ message }: Error) => messages.push(message));
    await reached(client, 'reconnecting');
    expect(messages.join()).toContain('Connection is closed.');
  });

  it('rejects commands after a failed attempt if they are to fail', async () => {
    const client = open(unreachable, { whenDown: 'fail' });
    await expect(client.get('a')).rejects.toThrow('Connection is closed.');
  });

  it('rejects a command after its time while nodes accept connections and do not respond', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closers.push(() => silent.close());
    const client = open(`redis+cluster://127.0.0.1:${(silent.address() as AddressInfo).port}`, {
      whenDown: 'fail',
      commandTimeoutMs: 100,
    });
    await expect(client.get('a')).rejects.toThrow('Command timed out');
  });
});

describe('a client of a cluster', () => {
  it('reports a lost connection as an error, and none when it is closed by its user', async () => {
    const cluster = await startRedisCluster();
    closers.push(() => cluster.stop());
    const client = open(cluster.url);
    const errors: Error[] = [];
    client.on('error', (error: Error) => errors.push(error));
    await client.get('a');
    expect(errors).toEqual([]);
    const { client: node } = await cluster.primaryOf('a');
    await node.call('CLIENT', 'KILL', 'TYPE', 'normal');
    expect(await eventually(async () => errors.length)).toBe(1);
    await client.get('a');
    const ended = reached(client, 'end');
    client.disconnectAll();
    await ended;
    expect(errors).toHaveLength(1);
  });
});
