import { isReadAsText } from '@quire/content-model';
import { literal } from '@quire/database';
import { deletedFieldsOf } from '../../deletions/index.js';
import { revisionMembers } from '../../schema/index.js';
import type { CopiedCollection } from '../copied-collections.js';

/**
 * SQL of the data of revision `t`, without values of deleted fields. Values of json fields are JSON texts, as in
 * entries: a reader that parses the record would lose digits and the order of keys.
 */
export function revisionData(collections: readonly CopiedCollection[]): string {
  const members = revisionMembers('t');
  const hasDeleted = `EXISTS (${deletedFieldsOf('t.collection')})`;
  const data = `CASE WHEN ${hasDeleted} THEN (SELECT coalesce(json_object_agg(m.key, m.value), '{}') FROM ${members} m)
    ELSE t.data END`;
  return withJsonFields(collections, { collection: 't.collection', members, data }, (isOfJsonField) => {
    const hasText = `${isOfJsonField} AND json_typeof(m.value) <> 'null'`;
    return `CASE WHEN ${hasText} THEN to_json(m.value::text) ELSE m.value END`;
  });
}

/** SQL of the data of revision record `r` as it is stored, the inverse of `revisionData`. */
export function storedRevisionData(collections: readonly CopiedCollection[]): string {
  const record = { collection: 'r.collection', members: 'json_each(r.data)', data: 'r.data' };
  return withJsonFields(collections, record, (isOfJsonField) => {
    const isText = `${isOfJsonField} AND json_typeof(m.value) = 'string'`;
    return `CASE WHEN ${isText} THEN (m.value #>> '{}')::json ELSE m.value END`;
  });
}

/**
 * SQL of data whose values of json fields are converted; keys keep their order.
 * @param row SQL of the collection, of the data, and of its members
 * @param convert SQL of the value of key `m.key`, by the SQL condition that the key is a json field
 */
function withJsonFields(
  collections: readonly CopiedCollection[],
  { collection, members, data }: { collection: string; members: string; data: string },
  convert: (isOfJsonField: string) => string,
): string {
  const cases = collections.flatMap(({ slug, columns }) => {
    const slugs = columns.filter(isReadAsText).map((field) => literal(field.slug));
    if (slugs.length === 0) return [];
    const value = convert(`m.key IN (${slugs.join(', ')})`);
    return `WHEN ${literal(slug)} THEN (SELECT coalesce(json_object_agg(m.key, ${value}), '{}')
      FROM ${members} m)`;
  });
  if (cases.length === 0) return data;
  return `CASE ${collection} ${cases.join(' ')} ELSE ${data} END`;
}
