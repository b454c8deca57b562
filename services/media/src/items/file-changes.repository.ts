import type { Queryable } from '@quire/database';

/** The only row. */
const id = 'files';

/** Counts a replaced or deleted file, in the transaction of the change. */
export async function incrementFileChangeCount(sql: Queryable): Promise<void> {
  await sql.query(
    `INSERT INTO media_file_changes (id, count) VALUES ($1, 1)
     ON CONFLICT (id) DO UPDATE SET count = media_file_changes.count + 1`,
    [id],
  );
}

/** Returns the number of replaced and deleted files. */
export async function selectFileChangeCount(sql: Queryable): Promise<number> {
  const [row] = await sql.query<{ count: number }>('SELECT count FROM media_file_changes WHERE id = $1', [
    id,
  ]);
  return row?.count ?? 0;
}
