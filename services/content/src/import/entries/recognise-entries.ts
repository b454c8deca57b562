import { identifier, type Queryable } from '@quire/database';
import type { contentImportApi } from '@quire/internal-api';
import type { CollectionDefinition } from '../../schema/index.js';
import { keyOf, type StoredRecord } from '../records/index.js';
import { byDefinition } from './by-definition.js';
import type { PreparedEntry } from './prepare-entries.js';

type Result = contentImportApi.ImportedEntryResult;

/** The present state of an entry that an earlier call has written. */
export interface TargetState {
  id: string;
  slug: string | null;
  version: number;
  isTrashed: boolean;
  group: string;
  /** Whether a user holds the edit lease. */
  isLeased: boolean;
  /** Whether the entry is still the draft of a failed import. */
  hasImportError: boolean;
}

/** What an entry of the call becomes. */
export type Recognition =
  | { kind: 'new' }
  | { kind: 'known'; result: Result }
  | { kind: 'changed'; record: StoredRecord; target: TargetState };

/** Recognises entries by their records (contract 6, Import record). */
export async function recogniseEntries(
  tx: Queryable,
  importId: string,
  entries: readonly PreparedEntry[],
  records: ReadonlyMap<string, StoredRecord>,
): Promise<Map<PreparedEntry, Recognition>> {
  const recognised = new Map<PreparedEntry, Recognition>();
  for (const [definition, group] of byDefinition(entries, (prepared) => prepared)) {
    const recordOf = ({ entry }: PreparedEntry) => records.get(keyOf(entry.source));
    const ids = group.flatMap((prepared) => recordOf(prepared)?.targetId ?? []);
    const targets = await selectTargets(tx, definition, ids);
    for (const prepared of group)
      recognised.set(prepared, recognise(prepared, { importId, record: recordOf(prepared), targets }));
  }
  return recognised;
}

/**
 * An equal source is `unchanged`, unless its entry is the draft of a failed import. A changed source updates its entry
 * if no user has edited, trashed or opened it for editing since.
 */
function recognise(
  { entry, definition }: PreparedEntry,
  {
    importId,
    record,
    targets,
  }: { importId: string; record: StoredRecord | undefined; targets: ReadonlyMap<string, TargetState> },
): Recognition {
  if (!record) return { kind: 'new' };
  // A type that is mapped to another collection than before keeps its entries.
  if (record.collection !== definition.slug) return known('edited', { id: record.targetId, slug: null });
  const target = targets.get(record.targetId);
  if (!target) return { kind: 'new' };
  if (record.updatedBy === importId) return { kind: 'known', result: record.result as unknown as Result };
  if (record.fingerprint === entry.fingerprint && !target.hasImportError) return known('unchanged', target);
  const isEdited = target.version !== record.targetVersion || target.isTrashed !== record.isTrashed;
  if (isEdited || target.isLeased) return known('edited', target);
  return { kind: 'changed', record, target };
}

function known(
  outcome: contentImportApi.EntryOutcome,
  { id, slug }: { id: string; slug: string | null },
): Recognition {
  return { kind: 'known', result: { outcome, entryId: id, slug, error: null, warnings: [], assignments: 0 } };
}

async function selectTargets(
  tx: Queryable,
  { table, statementKey }: CollectionDefinition,
  ids: readonly string[],
): Promise<Map<string, TargetState>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<TargetState>({
    prepared: true,
    text: `/* ${statementKey} */ SELECT e.id, e.slug, e.version, e.deleted_at IS NOT NULL AS "isTrashed",
        e._translation_group AS "group",
        EXISTS (SELECT FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now()) AS "isLeased",
        EXISTS (SELECT FROM import_errors i WHERE i.entry_id = e.id) AS "hasImportError"
      FROM ${identifier(table)} e WHERE e.id = ANY($1)`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
