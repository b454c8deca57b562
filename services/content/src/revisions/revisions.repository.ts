import type { Sql } from '@quire/database';
import type { EntryValues } from '../entries/index.js';
import { stagedSelectionsKey } from '../schema/index.js';

/** A kept state of an entry's values; `data._slug` is a slug that was staged with them (contract 6, Revision). */
export interface Revision {
  id: string;
  collection: string;
  entryId: string;
  data: EntryValues;
  authorId: string | null;
  createdAt: string;
  /** Selections that were staged with it: translation groups by field slug. */
  references?: Record<string, string[]>;
}

const columns =
  'id, collection, entry_id AS "entryId", data, author_id AS "authorId", created_at AS "createdAt"';

/** The newest revisions of an entry and how many it has. */
export async function revisionsOfEntry(
  sql: Sql,
  entryId: string,
  limit: number,
): Promise<{ items: Revision[]; total: number }> {
  const rows = await sql.query<Revision & { total: number }>(
    `SELECT ${columns}, count(*) OVER () AS total FROM revisions WHERE entry_id = $1 ORDER BY id DESC LIMIT $2`,
    [entryId, limit],
  );
  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _total, ...stored }) => revision(stored)) };
}

export async function revisionById(sql: Sql, id: string): Promise<Revision | undefined> {
  const [stored] = await sql.query<Revision>(`SELECT ${columns} FROM revisions WHERE id = $1`, [id]);
  return stored && revision(stored);
}

/** Selections stand beside the values, as they do in an entry. */
function revision({ data, ...stored }: Revision): Revision {
  const { [stagedSelectionsKey]: references, ...values } = data;
  return references === undefined
    ? { ...stored, data: values }
    : { ...stored, data: values, references: references as Record<string, string[]> };
}
