import type { CollectionDefinition } from '../../schema/index.js';
import type { PreparedEntry } from './prepare-entries.js';

/** Groups entries by the definition of their collection: statements are per table. */
export function byDefinition<Entry>(
  entries: readonly Entry[],
  preparedOf: (entry: Entry) => PreparedEntry,
): [CollectionDefinition, Entry[]][] {
  const groups = new Map<CollectionDefinition, Entry[]>();
  for (const entry of entries) {
    const { definition } = preparedOf(entry);
    const group = groups.get(definition);
    if (group) group.push(entry);
    else groups.set(definition, [entry]);
  }
  return [...groups];
}
