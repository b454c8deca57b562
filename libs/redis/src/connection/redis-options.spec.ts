import { describe, expect, it } from '@jest/globals';
import { isRedisUrl, redisOptions } from './redis-options.js';

describe('redisOptions', () => {
  it.each([
    ['redis://localhost', { host: 'localhost', port: 6379, db: 0 }],
    ['redis://localhost:6380/2', { host: 'localhost', port: 6380, db: 2 }],
    ['redis://:p%40ss@redis', { host: 'redis', port: 6379, db: 0, password: 'p@ss' }],
    [
      'redis://quire:secret@redis:1',
      { host: 'redis', port: 1, db: 0, username: 'quire', password: 'secret' },
    ],
    ['redis://[::1]:6380', { host: '::1', port: 6380, db: 0 }],
    ['rediss://redis', { host: 'redis', port: 6379, db: 0, tls: {} }],
    [
      'redis+sentinel://:secret@a,b:26380/main/3',
      {
        sentinels: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 26_380 },
        ],
        name: 'main',
        db: 3,
        password: 'secret',
      },
    ],
  ])('%s', (url, expected) => {
    const { reconnectOnError, ...options } = redisOptions(url);
    expect(options).toEqual(expected);
    expect(isRedisUrl(url)).toBe(true);
  });

  it('uses TLS for sentinels too', () => {
    const options = redisOptions('rediss+sentinel://a/main');
    expect(options).toMatchObject({ tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true });
  });

  it('connects again and repeats the command for READONLY, and for no other error', () => {
    const { reconnectOnError } = redisOptions('redis://localhost');
    expect(reconnectOnError?.(new Error("READONLY You can't write against a read only replica."))).toBe(2);
    expect(reconnectOnError?.(new Error('ERR syntax error'))).toBe(false);
  });

  it.each([
    'http://localhost',
    'redis://',
    'redis://a,b',
    'redis://a/b',
    'redis://a:port',
    'redis+sentinel://a',
    'redis+sentinel://a/main/x',
    'redis+sentinel://a/main/1/2',
  ])('%s is no address', (url) => {
    expect(isRedisUrl(url)).toBe(false);
    expect(() => redisOptions(url)).toThrow('Not an address of Redis');
  });

  it('does not repeat the password in an error', () => {
    expect(() => redisOptions('redis://:secret@a/b')).toThrow(expect.not.stringContaining('secret'));
  });
});
