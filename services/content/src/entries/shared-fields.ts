import { isDeepStrictEqual } from 'node:util';
import type { FieldDefinition } from '@quire/content-model';
import type { CollectionDefinition } from '../schema/index.js';
import { liveValues, type EntryRow, type EntryValues } from './entry-row.js';

/** @returns the fields whose values all translations of an entry share (spec document 3, translatable). */
export function sharedFields({ columns }: CollectionDefinition): FieldDefinition[] {
  return columns.filter(({ translatable }) => !translatable);
}

/**
 * @param values normalised; an absent field keeps its value
 * @returns the shared fields that a live write of these values changes (decision 4).
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

/** Compares as JSON: normalised values have no prototype, stored ones have. */
function isSameValue(stored: unknown, given: unknown): boolean {
  return isDeepStrictEqual(structuredClone(stored ?? null), structuredClone(given ?? null));
}
