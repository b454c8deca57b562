import { describe, expect, it } from '@jest/globals';
import { parseRedisUrl, type RedisAddress } from '@quire/values';
import { clusterOptions, createRedis, serverOptions } from './create-redis.js';

const parsed = (url: string) => parseRedisUrl(url) as RedisAddress;
const given = { connectTimeoutMs: 1, maxReconnectMs: 250 };
const waiting = { ...given, whenDown: 'wait' } as const;
const failing = { ...given, whenDown: 'fail', commandTimeoutMs: 2 } as const;

describe('serverOptions', () => {
  it('are those of one server, with its login and its database', () => {
    expect(serverOptions(parsed('rediss://quire:secret@redis:1/2'), waiting)).toMatchObject({
      host: 'redis',
      port: 1,
      db: 2,
      username: 'quire',
      password: 'secret',
      tls: {},
      maxRetriesPerRequest: null,
      connectTimeout: 1,
    });
    expect(serverOptions(parsed('redis://redis'), waiting)).not.toHaveProperty('tls');
  });

  it('name sentinels and their group, and use TLS for both', () => {
    expect(serverOptions(parsed('rediss+sentinel://a,b:1/main/3'), waiting)).toMatchObject({
      sentinels: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 1 },
      ],
      name: 'main',
      db: 3,
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    });
  });

  it('let a command fail at the second attempt and after its time, where it does not wait', () => {
    expect(serverOptions(parsed('redis://a'), failing)).toMatchObject({
      maxRetriesPerRequest: 1,
      commandTimeout: 2,
    });
  });

  it('limit the pause between attempts', () => {
    const { retryStrategy } = serverOptions(parsed('redis://a'), waiting);
    expect([1, 2, 3].map((attempt) => retryStrategy?.(attempt))).toEqual([100, 200, 250]);
  });

  it('connect again and repeat the command for READONLY, and for no other error', () => {
    const { reconnectOnError } = serverOptions(parsed('redis://a'), waiting);
    expect(reconnectOnError?.(new Error("READONLY You can't write against a read only replica."))).toBe(2);
    expect(reconnectOnError?.(new Error('ERR syntax error'))).toBe(false);
  });
});

describe('clusterOptions', () => {
  it('have the login, TLS and the times of each node', () => {
    const { redisOptions, clusterRetryStrategy } = clusterOptions(
      parsed('rediss+cluster://quire:secret@a'),
      failing,
    );
    expect(redisOptions).toEqual({
      username: 'quire',
      password: 'secret',
      tls: {},
      connectTimeout: 1,
      commandTimeout: 2,
      maxRetriesPerRequest: null,
    });
    expect(clusterRetryStrategy?.(9)).toBe(250);
  });

  it('keep the names of nodes, which their certificates have', () => {
    const resolved: unknown[] = [];
    clusterOptions(parsed('rediss+cluster://a'), waiting).dnsLookup?.('a', (...answer) =>
      resolved.push(answer),
    );
    expect(resolved).toEqual([[null, 'a']]);
  });

  it('let a command follow its slot for as long as it takes, with a pause, where it waits', () => {
    const options = clusterOptions(parsed('redis+cluster://a'), waiting);
    expect(options.maxRedirections).toBe(Infinity);
    expect(options.retryDelayOnMoved).toBeGreaterThan(0);
    expect(clusterOptions(parsed('redis+cluster://a'), failing).maxRedirections).toBeLessThan(5);
  });
});

describe('createRedis', () => {
  it('throws for what is no address, without its password', () => {
    const create = () => createRedis('redis://:secret@a/b', waiting);
    expect(create).toThrow('Not an address of Redis');
    expect(create).toThrow(expect.not.stringContaining('secret'));
  });
});
