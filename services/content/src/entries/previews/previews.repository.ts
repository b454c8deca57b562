import type { Queryable } from '@quire/database';

/** The key of the site's preview links is derived from the generation and the secret of the installation. */
export async function selectPreviewGeneration(sql: Queryable): Promise<string> {
  const [row] = await sql.query<{ generation: string }>('SELECT generation FROM preview_keys');
  if (!row) throw new Error('Preview key generation not found');
  return row.generation;
}

/** Replaces the generation, which invalidates all earlier links. */
export async function rotatePreviewGeneration(sql: Queryable): Promise<void> {
  await sql.query('UPDATE preview_keys SET generation = gen_random_uuid()::text, rotated_at = now()');
}
