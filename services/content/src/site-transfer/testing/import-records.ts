import type { Context } from '@quire/context';
import { recordKinds, type RecordKind } from '@quire/site-package';
import { schemaChanges } from '../../import/testing/test-schema.js';
import type { SchemaChanges } from '../../schema/index.js';
import { finishSiteRecords } from '../operations/finish-site-records.js';
import { writeSiteRecords } from '../site-records.operations.js';

const batchSize = 3;

/** Writes the records of all kinds as an import does, every batch as often as given. */
export async function importRecords(
  ctx: Context,
  linesOf: (kind: RecordKind) => Promise<readonly string[]>,
  { times = 1, changes = schemaChanges() }: { times?: number; changes?: SchemaChanges } = {},
): Promise<void> {
  for (const pass of ['records', 'parents'] as const) {
    for (const kind of recordKinds.filter((kind) => kind !== 'principals')) {
      const lines = await linesOf(kind);
      for (let start = 0; start < lines.length; start += batchSize) {
        const batch = { kind, records: lines.slice(start, start + batchSize), pass };
        for (let time = 0; time < times; time += 1) await writeSiteRecords(ctx, changes, batch);
      }
    }
  }
  for (let time = 0; time < times; time += 1) await finishSiteRecords(ctx, changes);
}
