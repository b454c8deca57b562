import { describe, expect, it } from '@jest/globals';
import { isLoopback, siteOriginOf } from './site-origin.js';

describe('siteOriginOf', () => {
  it.each([
    ['https://cms.example', 'https://cms.example'],
    ['https://cms.example:8443/_cms/admin?x=1#y', 'https://cms.example:8443'],
    ['HTTPS://CMS.Example/', 'https://cms.example'],
    ['cms.example', 'https://cms.example'],
    ['cms.example:8443', 'https://cms.example:8443'],
    ['localhost:4321', 'http://localhost:4321'],
    ['localhost', 'http://localhost'],
    ['127.0.0.1:4321/_cms', 'http://127.0.0.1:4321'],
    ['http://[::1]:4321', 'http://[::1]:4321'],
    ['http://blog.localhost:4321', 'http://blog.localhost:4321'],
    ['http://2130706433', 'http://127.0.0.1'],
  ])('of %s is %s', (typed, origin) => {
    expect(siteOriginOf(typed)).toBe(origin);
  });

  it.each([
    'http://cms.example',
    'http://10.0.0.1',
    'http://127.0.0.1.evil.example',
    'file:///etc',
    '',
    'a b',
  ])('rejects %j', (typed) => {
    expect(() => siteOriginOf(typed)).toThrow();
  });
});

describe('isLoopback', () => {
  it.each(['localhost.evil.example', 'notlocalhost', '0.0.0.0', '[::]', '128.0.0.1'])(
    'is false for %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
