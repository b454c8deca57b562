import { parseRedisUrl, type RedisAddress } from '@quire/values';
import type { ClusterOptions, RedisOptions } from 'ioredis';
import { ClosableCluster } from './closable-cluster.js';
import { ClosableRedis } from './closable-redis.js';

/** A client of one server, also one that sentinels name, or of a cluster. It connects by itself. */
export type RedisClient = ClosableRedis | ClosableCluster;

export interface RedisClientOptions {
  /**
   * What a command does while Redis is down: it waits until Redis is back, or it fails after an attempt to connect has
   * failed, with one server after the second one.
   */
  whenDown: 'wait' | 'fail';
  connectTimeoutMs: number;
  /** Longest pause between attempts to connect. */
  maxReconnectMs: number;
  /** Time after which a command without a response fails; default: none. */
  commandTimeoutMs?: number;
}

/** How often a client asks a cluster for its nodes: a primary that was lost without a closed connection is replaced. */
const nodesRefreshMs = 5_000;
/** Attempts of a command that does not wait, each at the node that the cluster names then. */
const maxNodesTried = 4;
/** Pause before a command follows a slot to its new node, where nodes that disagree send it in circles. */
const movedPauseMs = 100;

/**
 * Creates a client for an address of Redis. After a failover it finds the new primary: one server that has become a
 * replica answers writes with READONLY, which makes the client connect again and repeat the command; nodes of a cluster
 * name the new one.
 * @throws Error for an invalid address, without its password
 */
export function createRedis(url: string, options: RedisClientOptions): RedisClient {
  const address = parseRedisUrl(url);
  if (!address)
    throw new Error(
      'Not an address of Redis: it begins with redis://, redis+sentinel:// or redis+cluster://, or the same with rediss',
    );
  if (address.servers !== 'cluster') return new ClosableRedis(serverOptions(address, options));
  const cluster = new ClosableCluster(address.hosts, clusterOptions(address, options));
  if (options.whenDown === 'fail') cluster.on('reconnecting', () => cluster.rejectWaiting());
  return cluster;
}

/** The options of a client of one server. */
export function serverOptions(address: RedisAddress, options: RedisClientOptions): RedisOptions {
  const { servers, hosts, group, database, isEncrypted } = address;
  const [first] = hosts;
  const hasSentinels = servers === 'sentinel';
  return {
    ...(hasSentinels ? { sentinels: hosts, name: group ?? '' } : first),
    ...(isEncrypted && hasSentinels ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    ...connectionOptions(address, options),
    db: database,
    retryStrategy: pauseOf(options),
    maxRetriesPerRequest: options.whenDown === 'wait' ? null : 1,
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  };
}

/** The options of a client of a cluster. */
export function clusterOptions(address: RedisAddress, options: RedisClientOptions): ClusterOptions {
  return {
    clusterRetryStrategy: pauseOf(options),
    slotsRefreshInterval: nodesRefreshMs,
    // Names are resolved for each connection, and not before: TLS compares them with the certificate.
    dnsLookup: (name, done) => done(null, name),
    ...(options.whenDown === 'wait'
      ? { maxRedirections: Infinity, retryDelayOnMoved: movedPauseMs }
      : { maxRedirections: maxNodesTried }),
    // BullMQ demands null for the connections of workers.
    redisOptions: { ...connectionOptions(address, options), maxRetriesPerRequest: null },
  };
}

function connectionOptions(
  { username, password, isEncrypted }: RedisAddress,
  { connectTimeoutMs, commandTimeoutMs }: RedisClientOptions,
) {
  return {
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(isEncrypted ? { tls: {} } : {}),
    connectTimeout: connectTimeoutMs,
    ...(commandTimeoutMs === undefined ? {} : { commandTimeout: commandTimeoutMs }),
  };
}

const pauseOf =
  ({ maxReconnectMs }: RedisClientOptions) =>
  (attempt: number) =>
    Math.min(attempt * 100, maxReconnectMs);
