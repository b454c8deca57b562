import { identifier, type Sql } from '@quire/database';
import type { CollectionDefinition } from '../../schema/index.js';

/**
 * Holds an entry until the transaction ends. It is read by a statement of its own afterwards: one that waits for the row
 * and reads at once would see the new row beside the draft of the old one.
 */
export async function holdEntry(tx: Sql, { table }: CollectionDefinition, id: string): Promise<void> {
  await tx.query({
    keepsPlan: true,
    text: `SELECT 1 FROM ${identifier(table)} WHERE id = $1 FOR UPDATE`,
    values: [id],
  });
}

/**
 * Holds all entries of a translation group until the transaction ends, always in the same order, so that writers of two
 * translations never wait for each other.
 * @returns the entries and their versions.
 */
export async function holdGroup(
  tx: Sql,
  { table }: CollectionDefinition,
  group: string,
): Promise<{ id: string; version: number }[]> {
  return tx.query({
    keepsPlan: true,
    text: `SELECT id, version FROM ${identifier(table)} WHERE _translation_group = $1 ORDER BY id FOR UPDATE`,
    values: [group],
  });
}
