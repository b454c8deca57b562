import type { RecordKind } from '@quire/site-package';
import type { PackageContent, PackageRecord } from '@quire/testing';
import { siteContent } from './site-content.fixture.js';

/** Other records instead of those of a kind. */
export type Change = (records: readonly Record<string, unknown>[]) => readonly PackageRecord[];

/** The package with other records of one kind. */
export function changed(kind: RecordKind, change: Change): PackageContent {
  const { records = {}, ...content } = siteContent();
  return { ...content, records: { ...records, [kind]: change(records[kind] as Record<string, unknown>[]) } };
}

/** The package with other properties of the first record of a kind. */
export const withProperties = (kind: RecordKind, properties: object) =>
  changed(kind, ([first, ...rest]) => [{ ...first, ...properties }, ...rest]);

/** The package with other values of the first entry. */
export const withValues = (values: object) =>
  changed('entries', ([first, ...rest]) => [
    { ...first, values: { ...(first?.['values'] as object), ...values } },
    ...rest,
  ]);

/** The package with another definition of a field. */
export const withField = (slug: string, properties: object) =>
  changed('fields', (fields) =>
    fields.map((field) => (field['slug'] === slug ? { ...field, ...properties } : field)),
  );
