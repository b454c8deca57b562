import { isReadAsText } from '@quire/content-model';
import { literal } from '@quire/database';
import type { CopiedCollection } from '../lock-collections.js';

/**
 * SQL of the data of revision `t`. Values of json fields are JSON texts, as in entries: a reader that parses the record
 * would lose digits and the order of keys.
 */
export function revisionData(collections: readonly CopiedCollection[]): string {
  const cases = collections.flatMap(({ slug, columns }) => {
    const slugs = columns.filter(isReadAsText).map((field) => literal(field.slug));
    return slugs.length > 0 ? [`WHEN ${literal(slug)} THEN ${dataWithTexts(slugs)}`] : [];
  });
  return cases.length > 0 ? `CASE t.collection ${cases.join(' ')} ELSE t.data END` : 't.data';
}

function dataWithTexts(slugs: readonly string[]): string {
  const isText = `m.key IN (${slugs.join(', ')}) AND json_typeof(m.value) <> 'null'`;
  return `(SELECT coalesce(json_object_agg(m.key, CASE WHEN ${isText} THEN to_json(m.value::text) ELSE m.value END), '{}')
    FROM json_each(t.data) m)`;
}
