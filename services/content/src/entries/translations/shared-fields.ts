import { isDeepStrictEqual } from 'node:util';
import type { FieldDefinition } from '@quire/content-model';
import type { CollectionDefinition } from '../../schema/index.js';
import { liveValues, type EntryRow, type EntryValues } from '../entry-row.js';

/** The fields with a column that all translations of an entry share (spec document 3, translatable). */
export function sharedFields({ columns }: CollectionDefinition): FieldDefinition[] {
  return columns.filter(({ translatable }) => !translatable);
}

/**
 * The shared fields whose value a live write of these values changes (decision 4).
 * @param values normalised; a field that is absent keeps its value.
 */
export function changedSharedFields(
  definition: CollectionDefinition,
  row: EntryRow,
  values: EntryValues,
): FieldDefinition[] {
  const shared = sharedFields(definition).filter(({ slug }) => Object.hasOwn(values, slug));
  if (shared.length === 0) return [];
  const live = liveValues(definition, row);
  return shared.filter(({ slug }) => !isSameValue(live[slug], values[slug]));
}

/** Compares as JSON does: normalised rows stand on no prototype, stored ones do. */
function isSameValue(stored: unknown, sent: unknown): boolean {
  return isDeepStrictEqual(structuredClone(stored ?? null), structuredClone(sent ?? null));
}
