import type { KeyRows } from '../keys/key-rows.js';
import { checkValues, type CheckedValues } from './check-values.js';
import type { PackageCollection } from './package-schema.js';
import type { RecordFault } from './parse-record.js';

type PackageRecord = Readonly<Record<string, unknown>>;

/** Properties of the row of a unique field: `values.` and its slug. */
export const uniqueFieldPrefix = 'values.';

/**
 * Checks the values of an entry, and adds those of unique fields to the rows.
 * @param record one that its schema accepts
 */
export function checkEntry(
  collection: PackageCollection,
  record: PackageRecord,
  key: string,
  rows: KeyRows,
): CheckedValues {
  const values = record['values'] as PackageRecord;
  for (const [slug, { definition }] of collection.columns) {
    if (!definition.unique) continue;
    const value = values[slug];
    const parts = value === null ? [null] : [collection.slug, value, record['locale']];
    rows.addValue('entries', { key, property: uniqueFieldPrefix + slug, parts });
  }
  return at('values', checkValues(collection, values, { isWhole: true }));
}

/** Checks the staged values of a revision. @param record one that its schema accepts */
export function checkRevision(collection: PackageCollection, record: PackageRecord): CheckedValues {
  return at('data', checkValues(collection, record['data'] as PackageRecord, { isWhole: false }));
}

function at(property: string, { faults, externalMedia }: CheckedValues): CheckedValues {
  const atProperty = ({ path, ...fault }: RecordFault) => ({ ...fault, path: `${property}.${path ?? ''}` });
  return { faults: faults.map(atProperty), externalMedia };
}
