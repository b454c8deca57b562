import { describe, expect, it } from '@jest/globals';
import { parseRedisUrl } from './redis-url.js';

const single = {
  servers: 'single',
  group: undefined,
  database: 0,
  username: undefined,
  password: undefined,
  isEncrypted: false,
};

describe('parseRedisUrl', () => {
  it.each([
    ['redis://localhost', { ...single, hosts: [{ host: 'localhost', port: 6379 }] }],
    ['redis://localhost:6380/2', { ...single, hosts: [{ host: 'localhost', port: 6380 }], database: 2 }],
    ['redis://:p%40ss@r', { ...single, hosts: [{ host: 'r', port: 6379 }], username: '', password: 'p@ss' }],
    [
      'redis://quire:secret@redis:1',
      { ...single, hosts: [{ host: 'redis', port: 1 }], username: 'quire', password: 'secret' },
    ],
    ['redis://[::1]:6380', { ...single, hosts: [{ host: '::1', port: 6380 }] }],
    ['rediss://redis', { ...single, hosts: [{ host: 'redis', port: 6379 }], isEncrypted: true }],
    [
      'redis+sentinel://:secret@a,b:26380/main/3',
      {
        servers: 'sentinel',
        hosts: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 26_380 },
        ],
        group: 'main',
        database: 3,
        username: '',
        password: 'secret',
        isEncrypted: false,
      },
    ],
    [
      'rediss+cluster://quire:secret@a,b:7001',
      {
        servers: 'cluster',
        hosts: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 7001 },
        ],
        group: undefined,
        database: 0,
        username: 'quire',
        password: 'secret',
        isEncrypted: true,
      },
    ],
    ['redis+cluster://a/', { ...single, servers: 'cluster', hosts: [{ host: 'a', port: 6379 }] }],
  ])('%s', (url, expected) => {
    expect(parseRedisUrl(url)).toEqual(expected);
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
    'redis+cluster://',
    'redis+cluster://a,',
    'redis+cluster://a,b/0',
    'redis+other://a',
  ])('%s is no address', (url) => {
    expect(parseRedisUrl(url)).toBeUndefined();
  });
});
