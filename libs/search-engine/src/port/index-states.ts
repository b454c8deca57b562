import type { IndexStates } from './search-engine.js';

/** The state of one index, with a key of its collection. */
export interface GenerationState {
  collection: string;
  generation: number;
  state: string;
}

/**
 * Joins the states of the generations of each collection.
 * @param keyOf the key of a collection
 */
export function indexStates(
  generations: readonly GenerationState[],
  keyOf: (tenantId: string, collectionId: string) => string,
): IndexStates {
  const byCollection = new Map<string, string[]>();
  for (const { collection, generation, state } of generations) {
    const states = byCollection.get(collection) ?? [];
    states.push(`${generation}:${state}`);
    byCollection.set(collection, states);
  }
  return {
    of: (tenantId, collectionId) =>
      byCollection.get(keyOf(tenantId, collectionId))?.toSorted().join(' ') ?? '',
  };
}
