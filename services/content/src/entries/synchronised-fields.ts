import { isDeepStrictEqual } from 'node:util';
import type { FieldDefinition } from '@quire/content-model';
import type { CollectionDefinition } from '../schema/index.js';
import { liveValues, type EntryRow, type EntryValues } from './entry-row.js';

/**
 * The fields of a live write that all translations share and whose value changes by it (spec document 3, translatable;
 * decision 4).
 */
export function changedSharedFields(
  definition: CollectionDefinition,
  row: EntryRow,
  values: EntryValues,
): FieldDefinition[] {
  const shared = definition.columns.filter(
    ({ slug, translatable }) => !translatable && Object.hasOwn(values, slug),
  );
  if (shared.length === 0) return [];
  const live = liveValues(definition, row);
  return shared.filter(({ slug }) => !isDeepStrictEqual(live[slug] ?? null, values[slug] ?? null));
}
