import { indexFormat } from '@quire/search-engine';
import type { CollectionRow, IndexSpec } from '../collections/index.js';
import type { ContentCollection } from '../clients/index.js';

/**
 * Returns the index spec for the settings and fields of a collection. Weights of deleted fields are ignored. A title
 * whose field is not searchable is not found (document 3, `searchable`).
 */
export function desiredSpec(
  { tokenizer, weights }: Pick<CollectionRow, 'tokenizer' | 'weights'>,
  { titleField, fields, fingerprint }: Pick<ContentCollection, 'titleField' | 'fields' | 'fingerprint'>,
): IndexSpec {
  const own = new Map(Object.entries(weights));
  const weighted = fields.filter((slug) => slug !== titleField && own.has(slug)).sort();
  return {
    tokenizer,
    weights: Object.fromEntries(weighted.map((slug) => [slug, own.get(slug) ?? 1])),
    titleWeight: titleField === null || fields.includes(titleField) ? (own.get(titleField ?? '') ?? null) : 0,
    format: indexFormat,
    fingerprint,
  };
}

/** Whether indexes with these specs find the same entries. */
export function isSameSpec(one: IndexSpec, other: IndexSpec): boolean {
  return textOf(one) === textOf(other);
}

const textOf = ({ tokenizer, weights, titleWeight, format, fingerprint }: IndexSpec) =>
  JSON.stringify([tokenizer, Object.entries(weights).sort(), titleWeight, format, fingerprint]);
