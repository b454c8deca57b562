import { describe, expect, it } from '@jest/globals';
import { legacyRest } from '@quire/import-sources';
import { checkSiteConfig } from './site-config.js';

const check = (value: unknown) => checkSiteConfig({ import: value }, 'f');

/** A source with changes. */
const changed = (change: object) => ({ ...legacyRest(), id: 'feed', ...change });

describe('import.sources', () => {
  it('are returned unchanged, in their order', () => {
    const sources = [changed({}), changed({ id: 'another' })];
    expect(check({ sources }).import?.sources?.[0]).toBe(sources[0]);
    expect(check({ sources }).import?.sources?.map(({ id }) => id)).toEqual(['feed', 'another']);
  });

  it('may be absent or empty', () => {
    expect(checkSiteConfig({}, 'f').import).toBeUndefined();
    expect(check({}).import).toEqual({});
    expect(check({ sources: [] }).import?.sources).toEqual([]);
  });

  it.each<[string, unknown, string | RegExp]>([
    ['a value that is no list', {}, /^f: import\.sources: .*array/],
    ['a function instead of its result', [legacyRest], /^f: import\.sources\.0: .*object/],
    [
      'the id of a built-in source',
      [legacyRest()],
      'f: import.sources.0.id: "legacy-rest" is the id of a built-in source',
    ],
    [
      'one id twice',
      [changed({}), changed({})],
      'f: import.sources.1.id: "feed" is the id of another source',
    ],
    ['an id with capitals', [changed({ id: 'Feed' })], /^f: import\.sources\.0\.id: must be lower-case/],
    [
      'a missing function',
      [changed({ fetchContent: undefined })],
      'f: import.sources.0.fetchContent: must be a function',
    ],
    ['an unknown key', [changed({ prob: () => null })], /^f: import\.sources\.0: .*prob/],
  ])('are rejected for %s, with its path', (_, sources, message) => {
    expect(() => check({ sources })).toThrow(message);
  });

  it('are rejected with one line per mistake', () => {
    const sources = [changed({ name: '', analyze: 1 }), changed({ icon: 'star' })];
    expect(() => check({ sources })).toThrow(
      /^f: import\.sources\.0\.name: [^\n]*\nf: import\.sources\.0\.analyze: [^\n]*\nf: import\.sources\.1\.icon: [^\n]*$/,
    );
  });

  it('are the only option of import', () => {
    expect(() => check({ source: [] })).toThrow(/^f: import: .*source/);
  });
});
