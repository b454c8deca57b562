import type { Queryable } from '@quire/database';
import { JsonText } from '@quire/json';
import { stagedSelectionsKey } from '../../schema/index.js';

/**
 * A kept state of an entry's values, each as the JSON that is stored, so that it is answered as it was sent (decision
 * 44); `data._slug` is a slug that was staged with them (contract 6, Revision).
 */
export interface Revision {
  id: string;
  collection: string;
  entryId: string;
  data: Record<string, JsonText>;
  authorId: string | null;
  createdAt: string;
  /** Selections that were staged with it: translation groups by field slug. */
  references?: Record<string, string[]>;
}

/** A revision as it is read: the text of each member of its data. */
type StoredRevision = Omit<Revision, 'data' | 'references'> & { texts: Record<string, string> | null };

const columns = `id, collection, entry_id AS "entryId", author_id AS "authorId", created_at AS "createdAt",
  (SELECT json_object_agg(key, value::text) FROM json_each(data)) AS texts`;

/** The newest revisions of an entry and how many it has. */
export async function selectRevisions(
  sql: Queryable,
  entryId: string,
  limit: number,
): Promise<{ items: Revision[]; total: number }> {
  const rows = await sql.query<StoredRevision & { total: number }>(
    `SELECT ${columns}, count(*) OVER () AS total FROM revisions WHERE entry_id = $1 ORDER BY id DESC LIMIT $2`,
    [entryId, limit],
  );
  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _total, ...stored }) => revision(stored)) };
}

export async function selectRevision(sql: Queryable, id: string): Promise<Revision | undefined> {
  const [stored] = await sql.query<StoredRevision>(`SELECT ${columns} FROM revisions WHERE id = $1`, [id]);
  return stored && revision(stored);
}

/** Selections stand beside the values, as they do in an entry. */
function revision({ texts, ...stored }: StoredRevision): Revision {
  const { [stagedSelectionsKey]: references, ...values } = texts ?? {};
  const data = Object.fromEntries(Object.entries(values).map(([key, text]) => [key, new JsonText(text)]));
  return references === undefined
    ? { ...stored, data }
    : { ...stored, data, references: JSON.parse(references) as Record<string, string[]> };
}
