import type { SiteIndexes } from '../port/search-engine.js';
import type { SearchIndex } from '../port/search-index.js';
import { searchIndexes, newDocument, newIndex, suggested } from './fixtures.js';

/** Every call on an existing index; each may be repeated. */
export function usesOf(indexes: SiteIndexes, index: SearchIndex): [string, () => Promise<unknown>][] {
  return [
    ['create', () => indexes.create(index)],
    ['put', () => indexes.put(index, [newDocument({ title: 'text' })])],
    ['remove', () => indexes.remove(index, [{ id: 'never-there', version: 1 }])],
    ['settle', () => indexes.settle(index)],
    ['search', () => searchIndexes(indexes, 'text', { indexes: [index] })],
    ['suggest', () => suggested(indexes, 'text', index)],
    ['count', () => indexes.count(index, 'published')],
    ['isIntact', () => indexes.isIntact(index)],
    ['drop', () => indexes.drop(newIndex())],
  ];
}
