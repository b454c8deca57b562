import { isReadAsText } from '@quire/content-model';
import { literal } from '@quire/database';
import type { CopiedCollection } from '../copied-collections.js';

/**
 * SQL of the data of revision `t`. Values of json fields are JSON texts, as in entries: a reader that parses the record
 * would lose digits and the order of keys.
 */
export function revisionData(collections: readonly CopiedCollection[]): string {
  return withJsonFields(collections, 't', (isOfJsonField) => {
    const hasText = `${isOfJsonField} AND json_typeof(m.value) <> 'null'`;
    return `CASE WHEN ${hasText} THEN to_json(m.value::text) ELSE m.value END`;
  });
}

/** SQL of the data of revision record `r` as it is stored, the inverse of `revisionData`. */
export function storedRevisionData(collections: readonly CopiedCollection[]): string {
  return withJsonFields(collections, 'r', (isOfJsonField) => {
    const isText = `${isOfJsonField} AND json_typeof(m.value) = 'string'`;
    return `CASE WHEN ${isText} THEN (m.value #>> '{}')::json ELSE m.value END`;
  });
}

/**
 * SQL of data whose values of json fields are converted; keys keep their order.
 * @param alias of the row with `collection` and `data`
 * @param convert SQL of the value of key `m.key`, by the SQL condition that the key is a json field
 */
function withJsonFields(
  collections: readonly CopiedCollection[],
  alias: string,
  convert: (isOfJsonField: string) => string,
): string {
  const cases = collections.flatMap(({ slug, columns }) => {
    const slugs = columns.filter(isReadAsText).map((field) => literal(field.slug));
    if (slugs.length === 0) return [];
    const value = convert(`m.key IN (${slugs.join(', ')})`);
    return `WHEN ${literal(slug)} THEN (SELECT coalesce(json_object_agg(m.key, ${value}), '{}')
      FROM json_each(${alias}.data) m)`;
  });
  if (cases.length === 0) return `${alias}.data`;
  return `CASE ${alias}.collection ${cases.join(' ')} ELSE ${alias}.data END`;
}
