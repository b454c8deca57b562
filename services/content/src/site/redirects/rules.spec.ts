import { describe, expect, it } from '@jest/globals';
import { requestedPath } from '@quire/content-model';
import { bestMatch } from './rule-tree.js';
import { lookupOf, planRule, type Rule } from './rules.js';

const plan = (source: string, destination = '/new', type = 301): Rule => ({
  id: source,
  ...planRule({ source, destination, type }),
});

/** The destination of a path among these stored rules; only rules that the lookup finds can match. */
function lead(rules: readonly Rule[], path: string): string | undefined {
  const requested = requestedPath(path);
  const { keys, patterns } = lookupOf(requested);
  const prefixes = patterns.map(({ prefix }) => prefix);
  const found = rules.filter(
    ({ sourceKey, prefix }) => keys.includes(sourceKey) || (prefix !== null && prefixes.includes(prefix)),
  );
  return bestMatch(found, requested)?.destination;
}

describe('planRule (contract 23)', () => {
  it.each([
    ['/blog/[slug]', '/articles/[slug]'],
    ['/[a]/[b]', '/[b]/[a]'],
    ['/files/[...rest]', '/archive/[...rest]'],
    ['/[...rest]', '/new/[...rest]?from=[...rest]'],
    ['/blog/[slug]', '/articles'],
    ['/list?tags[]=x', '/new?tags[]=x&f[a]=1'],
  ])('accepts %s to %s', (source, destination) => expect(plan(source, destination).source).toBe(source));

  it.each([
    ['/blog/[slug]', '/articles/[id]'],
    ['/blog/[slug]', '/articles/[...slug]'],
    ['/blog', '/articles/[slug]'],
    ['/[a]/[a]', '/x'],
    ['/[a]/[...a]', '/x'],
    ['/[...rest]/x', '/y'],
    ['/a-[b]', '/c'],
    ['/[]', '/c'],
    ['/[1a]', '/c'],
    ['/[a', '/c'],
    ['/[a-b]', '/c'],
    ['/blog/[slug]?x=1', '/c'],
    ['/a#b', '/c'],
    ['/a', ''],
    ['/a', '/a'],
    ['/a', '/a#part'],
    ['/café', '/caf%C3%A9'],
    [`/${'x/'.repeat(30)}[a]`, '/c'],
  ])('rejects %s to %s', (source, destination) => {
    expect(() => plan(source, destination)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it.each([410, 451])('drops the destination of type %i', (type) => {
    expect(plan('/a', '/b', type).destination).toBe('');
    expect(plan('/a', '', type).destination).toBe('');
  });

  it('gives patterns that differ only in names of placeholders the same source key', () => {
    expect(plan('/blog/[slug]').sourceKey).toBe(plan('/blog/[id]').sourceKey);
    expect(plan('/blog/[slug]').sourceKey).not.toBe(plan('/blog/[...slug]').sourceKey);
  });
});

describe('the rule of a path (contract 23)', () => {
  it('is found however the path is escaped', () => {
    expect(lead([plan('/café/menü')], '/caf%c3%a9/men%C3%BC')).toBe('/new');
  });

  it('is that of the path with its query before that of the path without it', () => {
    const rules = [plan('/', '/start'), plan('/?p=12', '/twelve')];
    expect([lead(rules, '/?p=12'), lead(rules, '/?p=13'), lead(rules, '/')]).toEqual([
      '/twelve',
      '/start',
      '/start',
    ]);
  });

  it('is an exact rule before a pattern, and a specific pattern before a general one', () => {
    const rules = [
      plan('/[...rest]', '/rest'),
      plan('/[a]/[b]', '/names'),
      plan('/blog/[...rest]', '/blog-rest'),
      plan('/blog/[slug]', '/blog-name'),
      plan('/[a]/first', '/name-first'),
      plan('/blog/first', '/exact'),
    ];
    const paths = [
      '/blog/first',
      '/blog/second',
      '/blog/x/y',
      '/shop/first',
      '/shop/second',
      '/shop',
      '/a/b/c',
    ];
    expect(paths.map((path) => lead(rules, path))).toEqual([
      '/exact',
      '/blog-name',
      '/blog-rest',
      '/name-first',
      '/names',
      '/rest',
      '/rest',
    ]);
  });

  it('fills in the values of its placeholders, escaped in a query', () => {
    expect(lead([plan('/blog/[year]/[slug]', '/[slug]?in=[year]')], '/blog/20&1=2/a%20b')).toBe(
      '/a%20b?in=20%261%3D2',
    );
    expect(lead([plan('/old/[...rest]', '/new/[...rest]')], '/old/a/b/')).toBe('/new/a/b/');
  });

  it.each(['/blog', '/blog/', '/blog/a/b', '/blogs/a', '/x/blog/a', '/Blog/a'])(
    'is not /blog/[slug] for %s',
    (path) => {
      expect(lead([plan('/blog/[slug]')], path)).toBeUndefined();
    },
  );

  it('treats a bracket in the requested path as text', () => {
    expect(lead([plan('/blog/[slug]', '/[slug]')], '/blog/[...rest]')).toBe('/%5B...rest%5D');
  });

  it.each(['/old//evil.example', '/old/\\evil.example', '/old/%2Fevil.example', '/old/%5Cevil.example'])(
    'never leads %s off the site',
    (path) => expect(lead([plan('/old/[...rest]', '/[...rest]')], path)).toBeUndefined(),
  );
});
