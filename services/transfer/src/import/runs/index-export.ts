import type { Queryable } from '@quire/database';
import type { ExportEvent } from '../export-file/index.js';
import { insertItems, type NewItem } from './import-items.repository.js';
import { ExportIndex } from './export-index.js';
import type { ImportChannel } from './import-state.js';

/** Items of one INSERT. */
const batchSize = 500;

/**
 * Reads an export to its end and stores its index: where each item is, and what other items look up of it. The content
 * of items is read again when they are imported, so the memory does not depend on the size of the file.
 * @returns what the file says of its site
 * @throws ExportFileError for a file that is no export
 */
export async function indexExport(
  sql: Queryable,
  importId: string,
  events: AsyncIterable<ExportEvent>,
): Promise<ImportChannel> {
  const index = new ExportIndex();
  let rows: NewItem[] = [];
  const store = async (added: readonly NewItem[]) => {
    rows.push(...added);
    if (rows.length < batchSize) return;
    await insertItems(sql, importId, rows);
    rows = [];
  };
  for await (const event of events) await store(index.add(event));
  await store(index.finish());
  await insertItems(sql, importId, rows);
  return index.channel();
}
