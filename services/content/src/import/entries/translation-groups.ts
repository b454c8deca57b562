import { isReadAsText } from '@quire/content-model';
import { identifier, type Queryable } from '@quire/database';
import { liveValues, sharedFields, type EntryRow, type EntryValues } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { keyOf, type StoredRecord } from '../records/index.js';
import { byDefinition } from './by-definition.js';
import { warningCodes } from './importer.js';
import type { PreparedEntry } from './prepare-entries.js';

/** A new entry in its translation group, with the values that it shares with the group. */
export interface GroupedEntry {
  prepared: PreparedEntry;
  id: string;
  group: string;
  values: EntryValues;
}

/** A member of a group that an entry joins. */
interface Member {
  collection: string;
  group: string;
  values: EntryValues;
}

/**
 * Puts new entries into the groups of the entries that they translate, of the database or earlier in the batch. The
 * values of fields that are not translatable are those of the group. An entry whose anchor does not exist, or whose
 * locale the group has, gets its own group.
 * @param entries in the order of the source
 * @param records of the entries that are translated
 */
export async function joinGroups(
  tx: Queryable,
  entries: readonly { id: string; prepared: PreparedEntry }[],
  records: ReadonlyMap<string, StoredRecord>,
): Promise<GroupedEntry[]> {
  const { members, places } = await loadAnchors(tx, entries, records);
  return entries.map(({ id, prepared }) => {
    const { entry, definition, locale, warnings } = prepared;
    const anchor = entry.translationOf ? members.get(keyOf(entry.translationOf)) : undefined;
    const joins =
      anchor?.collection === definition.slug && !places.has(placeOf({ group: anchor.group, locale }));
    if (entry.translationOf && !joins)
      warnings.push({
        code: warningCodes.translationSeparated,
        message: 'The entry that it translates is missing, or has a translation in this locale already',
      });
    const group = joins ? anchor.group : id;
    const values = joins ? withSharedValues(definition, prepared.values, anchor.values) : prepared.values;
    places.add(placeOf({ group, locale }));
    members.set(keyOf(entry.source), { collection: definition.slug, group, values });
    return { prepared, id, group, values };
  });
}

const placeOf = ({ group, locale }: { group: string; locale: string }) => `${group}\u0000${locale}`;

function withSharedValues(
  definition: CollectionDefinition,
  own: EntryValues,
  anchor: EntryValues,
): EntryValues {
  const values = { ...own };
  for (const { slug } of sharedFields(definition)) {
    if (anchor[slug] === undefined) Reflect.deleteProperty(values, slug);
    else values[slug] = anchor[slug];
  }
  return values;
}

/** Locks the groups of stored anchors, so that none changes or disappears before the translation is in it. */
async function loadAnchors(
  tx: Queryable,
  entries: readonly { prepared: PreparedEntry }[],
  records: ReadonlyMap<string, StoredRecord>,
): Promise<{ members: Map<string, Member>; places: Set<string> }> {
  const members = new Map<string, Member>();
  const places = new Set<string>();
  const recordOf = ({ prepared }: { prepared: PreparedEntry }) => {
    const { translationOf } = prepared.entry;
    const record = translationOf ? records.get(keyOf(translationOf)) : undefined;
    return record?.kind === 'entry' && record.collection === prepared.definition.slug ? record : undefined;
  };
  const translations = entries.filter((entry) => recordOf(entry) !== undefined);
  for (const [definition, group] of byDefinition(translations, ({ prepared }) => prepared)) {
    const anchors = new Map(
      group.flatMap((each) => {
        const record = recordOf(each);
        return record ? [[record.targetId, record] as const] : [];
      }),
    );
    for (const row of await lockGroupsOf(tx, definition, [...anchors.keys()])) {
      places.add(placeOf({ group: row._group, locale: row._locale }));
      const record = anchors.get(row.id);
      if (!record) continue;
      const key = keyOf({ type: record.sourceType, id: record.sourceId });
      const values = liveValues(definition, row);
      members.set(key, { collection: definition.slug, group: row._group, values });
    }
  }
  return { members, places };
}

/** Locks the groups of entries. @returns their members with the values that they share. */
function lockGroupsOf(
  tx: Queryable,
  definition: CollectionDefinition,
  ids: readonly string[],
): Promise<EntryRow[]> {
  const table = identifier(definition.table);
  const values = sharedFields(definition).map((field) => {
    const column = `e.${identifier(field.slug)}`;
    return isReadAsText(field) ? `${column}::text AS ${identifier(field.slug)}` : column;
  });
  return tx.query<EntryRow>(
    `SELECT ${['e.id', 'e._locale', 'e._translation_group AS _group', ...values].join(', ')} FROM ${table} e
     WHERE e._translation_group IN (SELECT _translation_group FROM ${table} WHERE id = ANY($1))
     ORDER BY e.id FOR NO KEY UPDATE`,
    [ids],
  );
}
