import type { Queryable } from '@quire/database';
import type { contentApi } from '@quire/internal-api';

/** @returns the oldest reason for which the site is read-only; null if it is writable. */
export async function selectOldestReason(sql: Queryable): Promise<contentApi.FenceCode | null> {
  const [row] = await sql.query<{ code: contentApi.FenceCode }>(
    'SELECT code FROM read_only_modes ORDER BY raised_at LIMIT 1',
  );
  return row?.code ?? null;
}

/** Does nothing for a stored reason. */
export async function insertReason(sql: Queryable, code: contentApi.FenceCode): Promise<void> {
  await sql.query('INSERT INTO read_only_modes (code) VALUES ($1) ON CONFLICT DO NOTHING', [code]);
}

export async function deleteReason(sql: Queryable, code: contentApi.FenceCode): Promise<void> {
  await sql.query('DELETE FROM read_only_modes WHERE code = $1', [code]);
}
