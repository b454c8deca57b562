import { columnsOf, type Queryable, type Row } from '@quire/database';
import { JsonText } from '@quire/values';
import { isNotOfDeletedEntry } from '../../deletions/index.js';
import { revisionMembers, stagedSelectionsKey } from '../../schema/index.js';
import { Revision } from './revision.entity.js';

/**
 * A revision in responses (contract 6, Revision). Each value is the stored JSON text, so that it is returned as it was
 * submitted (decision 44).
 */
export type RevisionResponse = Omit<Row<Revision>, 'data' | 'title'> & {
  data: Record<string, JsonText>;
  /** Staged selections: translation groups by field slug. */
  references?: Record<string, string[]>;
};

/** A revision with the JSON text of each member of its data. */
type StoredRevision = Omit<Row<Revision>, 'data' | 'title'> & { texts: Record<string, string> | null };

const columns = `${columnsOf(Revision, { of: 'r', except: ['data', 'title'] })},
  (SELECT json_object_agg(key, value::text) FROM ${revisionMembers('r')} m) AS texts`;

/** @returns the newest revisions of an entry, and how many it has. */
export async function selectRevisions(
  sql: Queryable,
  entryId: string,
  limit: number,
): Promise<{ items: RevisionResponse[]; total: number }> {
  const rows = await sql.query<StoredRevision & { total: number }>(
    `SELECT ${columns}, count(*) OVER () AS total FROM revisions r WHERE r.entry_id = $1
     ORDER BY r.id DESC LIMIT $2`,
    [entryId, limit],
  );
  const items = rows.map(({ total: _total, ...stored }) => toRevisionResponse(stored));
  return { items, total: rows[0]?.total ?? 0 };
}

/** @returns a revision; undefined also for those of deleted collections. */
export async function selectRevision(sql: Queryable, id: string): Promise<RevisionResponse | undefined> {
  const [stored] = await sql.query<StoredRevision>(
    `SELECT ${columns} FROM revisions r WHERE r.id = $1 AND ${isNotOfDeletedEntry('r.entry_id')}`,
    [id],
  );
  return stored && toRevisionResponse(stored);
}

/** Selections are a property beside the values, as in an entry. */
function toRevisionResponse({ texts, ...stored }: StoredRevision): RevisionResponse {
  const { [stagedSelectionsKey]: references, ...values } = texts ?? {};
  const data = Object.fromEntries(Object.entries(values).map(([key, text]) => [key, new JsonText(text)]));
  return references === undefined
    ? { ...stored, data }
    : { ...stored, data, references: JSON.parse(references) as Record<string, string[]> };
}
