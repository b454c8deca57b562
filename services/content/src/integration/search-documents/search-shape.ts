import { createHash } from 'node:crypto';
import { hasSearchText, plainTextTypes, type FieldDefinition } from '@quire/content-model';

/** Where the title of an entry stands when its collection does not say. */
const defaultTitleFields = ['title', 'name'];

/** What of a collection's entries can be found. */
export interface SearchShape {
  /** The field whose text is the title; null when there is none. */
  title: FieldDefinition | null;
  /** The searchable fields that have text, in display order; the title among them when it is one. */
  searchable: FieldDefinition[];
  /** Differs when entries that did not change would be found otherwise. */
  fingerprint: string;
}

/** Reads from a collection's fields what can be found of its entries (document 3, `searchable`). */
export function searchShape(titleField: string | null, fields: readonly FieldDefinition[]): SearchShape {
  const wanted = titleField === null ? defaultTitleFields : [titleField];
  const named = wanted.flatMap((slug) => fields.find((field) => field.slug === slug) ?? []);
  const title = named.find(({ type }) => plainTextTypes.has(type)) ?? null;
  const searchable = fields.filter((field) => field.searchable && hasSearchText(field));
  const parts = [title?.slug ?? null, searchable.map(partOfFingerprint).sort()];
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
  return { title, searchable, fingerprint };
}

function partOfFingerprint({ slug, type, validation }: FieldDefinition): string {
  const columns = type === 'repeater' ? (validation?.subFields ?? []) : [];
  return JSON.stringify([slug, type, columns.map((column) => [column.slug, column.type])]);
}
