import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { eventually } from '../site/eventually.js';
import { freePort } from './free-port.js';

const maxStarts = 5;
const formsWithinMs = 60_000;
const slots = 16_384;

/** A redis-server of one spec, which may kill it. */
export interface RedisServer {
  port: number;
  client: Redis;
  process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts redis-server on loopback, and waits until it answers.
 * @param settings lines of its configuration
 */
export async function startRedisServer(
  settings: readonly string[],
  { isSentinel = false } = {},
): Promise<RedisServer> {
  for (let start = 1; ; start += 1) {
    const server = await tryStart(settings, isSentinel);
    if (server) return server;
    if (start === maxStarts) throw new Error(`redis-server did not start ${maxStarts} times`);
  }
}

/** @returns undefined when the process has ended: another one may have taken its port */
async function tryStart(settings: readonly string[], isSentinel: boolean): Promise<RedisServer | undefined> {
  // Imported only here: most specs need no client.
  const { Redis: Client } = await import('ioredis');
  const folder = mkdtempSync(join(tmpdir(), 'quire-redis-'));
  const port = await freePort();
  const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...settings];
  const file = join(folder, 'redis.conf');
  writeFileSync(file, lines.join('\n'));
  const child = spawn('redis-server', [file, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
  const client = new Client({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const ended = new Promise<void>((done) => child.once('error', () => done()).once('exit', () => done()));
  const stop = async () => {
    client.disconnect();
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const hasAnswered = await Promise.race([client.ping().then(() => true), ended.then(() => false)]);
  if (hasAnswered) return { port, client, process: child, stop };
  await stop();
  return undefined;
}

export interface RedisCluster {
  url: string;
  primaries: RedisServer[];
  replicas: RedisServer[];
  /** The primary with the slot of a key, as the cluster was formed. */
  primaryOf(key: string): Promise<RedisServer>;
  stop(): Promise<void>;
}

/**
 * Starts a Redis Cluster of three primaries on loopback.
 * @param options.hasReplicas one for each primary
 * @param options.nodeTimeoutMs time after which the others replace a primary that does not respond
 */
export async function startRedisCluster({
  hasReplicas = false,
  nodeTimeoutMs = 15_000,
} = {}): Promise<RedisCluster> {
  const settings = [
    'cluster-enabled yes',
    `cluster-node-timeout ${nodeTimeoutMs}`,
    'save ""',
    'repl-diskless-sync-delay 0',
    'maxmemory-policy noeviction',
  ];
  const start = async () => startRedisServer([...settings, `cluster-port ${await freePort()}`]);
  const primaries = await Promise.all([start(), start(), start()]);
  const replicas = hasReplicas ? await Promise.all([start(), start(), start()]) : [];
  const all = [...primaries, ...replicas];
  const firstSlot = (primary: number) => Math.floor((primary * slots) / primaries.length);
  for (const [index, { client }] of all.entries())
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  for (const [index, { client }] of primaries.entries())
    await client.call('CLUSTER', 'ADDSLOTSRANGE', firstSlot(index), firstSlot(index + 1) - 1);
  const [first, ...others] = all;
  for (const { client } of others)
    await client.call('CLUSTER', 'MEET', '127.0.0.1', first?.port ?? 0, await busPort(first));
  await formed(all, ({ client }) => client.call('CLUSTER', 'INFO'), [
    'cluster_state:ok',
    `cluster_known_nodes:${all.length}`,
  ]);
  for (const [index, { client }] of replicas.entries())
    await client.call('CLUSTER', 'REPLICATE', String(await primaries[index]?.client.call('CLUSTER', 'MYID')));
  await formed(replicas, ({ client }) => client.info('replication'), ['master_link_status:up']);
  for (const { port } of replicas)
    await formed(primaries, ({ client }) => client.call('CLUSTER', 'SLOTS'), [String(port)]);
  return {
    url: `redis+cluster://${primaries.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    primaries,
    replicas,
    async primaryOf(key) {
      const slot = Number(await first?.client.call('CLUSTER', 'KEYSLOT', key));
      const primary = primaries.find((_, index) => slot < firstSlot(index + 1));
      if (!primary) throw new Error(`No primary has slot ${slot}`);
      return primary;
    },
    async stop() {
      await Promise.all(all.map((server) => server.stop()));
    },
  };
}

async function busPort(server: RedisServer | undefined): Promise<string> {
  const answer = await server?.client.config('GET', 'cluster-port');
  return String((answer as string[])[1]);
}

/** Waits until each server says some texts. */
async function formed(
  servers: readonly RedisServer[],
  ask: (server: RedisServer) => Promise<unknown>,
  texts: readonly string[],
): Promise<void> {
  for (const server of servers) {
    const says = async () => String(await ask(server));
    const last = await eventually(says, (said) => texts.every((text) => said.includes(text)), formsWithinMs);
    if (!texts.every((text) => last.includes(text))) throw new Error(`No cluster was formed: ${last}`);
  }
}
