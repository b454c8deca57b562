import { createHash } from 'node:crypto';
import { hasSearchText, type FieldDefinition } from '@quire/content-model';
import { titleFieldOf } from '../../schema/index.js';

/** The searchable fields of a collection. */
export interface SearchShape {
  /** The field whose text is the title; null when there is none. */
  title: FieldDefinition | null;
  /** The searchable fields that have text, in display order; the title among them when it is one. */
  searchable: FieldDefinition[];
  /** Changes when unchanged entries need to be indexed again. */
  fingerprint: string;
}

/** Determines the searchable fields of a collection (document 3, `searchable`). */
export function searchShape(titleField: string | null, fields: readonly FieldDefinition[]): SearchShape {
  const title = titleFieldOf({ titleField, fields });
  const searchable = fields.filter((field) => field.searchable && hasSearchText(field));
  const properties = [title?.slug ?? null, searchable.map(fingerprintOf).sort()];
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(properties))
    .digest('base64url')
    .slice(0, 22);
  return { title, searchable, fingerprint };
}

function fingerprintOf({ slug, type, validation }: FieldDefinition): string {
  const columns = type === 'repeater' ? (validation?.subFields ?? []) : [];
  return JSON.stringify([slug, type, columns.map((column) => [column.slug, column.type])]);
}
