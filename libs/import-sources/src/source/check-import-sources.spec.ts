import { describe, expect, it } from '@jest/globals';
import { legacyCom, legacyRest } from '../index.js';
import { findSourceMistakes } from './check-import-sources.js';
import type { ImportSource } from './import-source.js';
import { builtInSourceIds } from './source-id.js';

const feed = (): ImportSource => ({
  id: 'feed',
  name: 'Feed',
  description: 'Reads a feed.',
  icon: 'plug',
  analyze: () => Promise.reject(new Error('not used')),
  fetchContent: () => {
    throw new Error('not used');
  },
});

class FeedSource implements ImportSource {
  readonly id = 'feed';
  readonly name = 'Feed';
  readonly description = 'Reads a feed.';
  readonly icon = 'plug';
  readonly pageSize = 20;

  analyze() {
    return Promise.reject(new Error('not used'));
  }

  fetchContent(): never {
    throw new Error('not used');
  }
}

describe('findSourceMistakes', () => {
  it('accepts objects, and instances of a class with fields of its own', () => {
    expect(findSourceMistakes([{ ...feed(), id: 'other', canProbe: false }, new FeedSource()])).toEqual([]);
    expect(findSourceMistakes([])).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a function in place of its result', feed, ''],
    ['a missing function', { ...feed(), analyze: undefined }, 'analyze'],
    ['a function of the wrong type', { ...feed(), probe: 'yes' }, 'probe'],
    ['a probe that is promised and missing', { ...feed(), canProbe: true }, 'canProbe'],
    ['an unknown icon', { ...feed(), icon: 'star' }, 'icon'],
    ['an empty name', { ...feed(), name: ' ' }, 'name'],
    ['an id with a blank', { ...feed(), id: 'my feed' }, 'id'],
    ['an unknown key', { ...feed(), prob: () => null }, ''],
    ['null', null, ''],
  ])('rejects %s, with one mistake and its path', (_, source, path) => {
    const mistakes = findSourceMistakes([source]);
    expect(mistakes.map((mistake) => mistake.path)).toEqual([['0', path].filter(Boolean).join('.')]);
  });

  it.each(builtInSourceIds)('rejects the id %s of a built-in source', (id) => {
    expect(findSourceMistakes([{ ...feed(), id }])).toEqual([
      { path: '0.id', message: `"${id}" is the id of a built-in source` },
    ]);
  });

  it('rejects the second of two sources with one id', () => {
    expect(findSourceMistakes([feed(), feed()])).toEqual([
      { path: '1.id', message: '"feed" is the id of another source' },
    ]);
  });

  it('rejects a value that is no list', () => {
    expect(findSourceMistakes({})).toHaveLength(1);
  });

  it('accepts the built-in sources under other ids', () => {
    const sources = [legacyRest(), legacyCom({})].map((source) => ({ ...source, id: `my-${source.id}` }));
    expect(findSourceMistakes(sources)).toEqual([]);
  });
});
