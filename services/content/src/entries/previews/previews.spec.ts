import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { previewKey, previewLifetimeSeconds, PreviewLinks } from './preview-links.js';
import { isSitePath, previewPath, withParameter } from './preview-path.js';

const week = 7 * 86_400;

describe('the lifetime of a preview link (contract 9)', () => {
  it.each([
    [90, 90],
    [90.9, 90],
    ['45s', 45],
    ['30m', 1_800],
    ['2h', 7_200],
    [' 3 d ', 259_200],
    ['1w', 604_800],
    ['8d', week],
    ['9999w', week],
    [1e12, week],
  ])('%j is %i seconds', (given, seconds) => {
    expect(previewLifetimeSeconds(given, week)).toBe(seconds);
  });

  it.each([
    undefined,
    null,
    0,
    -5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    '1',
    'h',
    '1y',
    '-1h',
    '1h1m',
    {},
    true,
  ])('%j is an hour', (given) => {
    expect(previewLifetimeSeconds(given, week)).toBe(3_600);
  });

  it('never exceeds the maximum, also without a requested lifetime', () => {
    expect(previewLifetimeSeconds(undefined, 60)).toBe(60);
  });
});

describe('the path of a preview', () => {
  const entry = { collection: 'posts', id: '01ABC', slug: 'größe', locale: 'de' };

  it.each([
    ['/{collection}/{id}', '/posts/01ABC'],
    ['/{locale}/{slug}', '/de/gr%C3%B6%C3%9Fe'],
    ['/{other}/{id}{id}', '/{other}/01ABC01ABC'],
    ['/show?which={slug}#top', '/show?which=gr%C3%B6%C3%9Fe#top'],
  ])('fills %s in', (pattern, path) => {
    expect(previewPath(pattern, entry)).toBe(path);
  });

  it('leaves no empty segment for a default locale, which would name another host', () => {
    expect(previewPath('/{locale}/{slug}', { ...entry, locale: '' })).toBe('/gr%C3%B6%C3%9Fe');
  });

  it('names an entry without a slug by its id', () => {
    expect(previewPath('/{slug}', { ...entry, slug: null })).toBe('/01ABC');
  });

  it.each([
    ['/a', '/a?_preview=x.y'],
    ['/a?b=1', '/a?b=1&_preview=x.y'],
    ['/a#c', '/a?_preview=x.y#c'],
  ])('adds the token to %s', (path, whole) => {
    expect(withParameter(path, '_preview', 'x.y')).toBe(whole);
  });

  it.each(['/', '/{collection}', '/a//b'])('accepts %j as a path of the site', (pattern) => {
    expect(isSitePath(pattern)).toBe(true);
  });

  it.each(['', 'a', '//evil.example/x', '/\\evil.example', 'https://evil.example', '/a\nb', '/a\\b'])(
    'rejects %j',
    (pattern) => {
      expect(isSitePath(pattern)).toBe(false);
    },
  );
});

describe('the token of a preview link', () => {
  const secret = 'a secret of the installation';
  const links = new PreviewLinks(secret, '/{collection}/{id}', week);
  const owner = { tenantId: 'one', generation: 'first' };
  const claims = { cid: 'posts:01ABC', exp: 2, iat: 1 };

  it('consists of its claims and their HMAC with the key of the site', () => {
    const [payload = '', mac] = links.token(owner, claims).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(claims);
    const key = previewKey(secret, owner);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(mac).toBe(createHmac('sha256', key).update(payload).digest('base64url'));
  });

  it('is invalid for another site, and after the rotation of the key', () => {
    const owners = [owner, { ...owner, tenantId: 'other' }, { ...owner, generation: 'second' }];
    expect(new Set(owners.map((one) => links.token(one, claims))).size).toBe(3);
  });
});
