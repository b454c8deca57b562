import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import type { RecordKind } from '@quire/site-package';
import { useFixture } from '@quire/testing';
import { openTransferTenant } from '../../../testing/transfer-tenant.fixture.js';
import { selectForeignDrafts } from './draft-keys.repository.js';
import {
  insertKeys,
  selectCycles,
  selectDanglingReferences,
  withLongStatements,
  type ImportKeyRow,
} from './import-keys.repository.js';
import { selectItemsOfOtherSize, selectItemsWithoutFile } from './media-keys.repository.js';

const tenant = useFixture(() => openTransferTenant('spec-of-import-keys'));
const operationId = 'operation';
const numbers = Array.from({ length: 2_000 }, (_, number) => number);

function row(role: ImportKeyRow['role'], kind: RecordKind, key: Partial<ImportKeyRow>): ImportKeyRow {
  return { role, kind, property: '', scope: '', value: '', recordKey: '', count: 1, ...key };
}

const rows = numbers.flatMap((number) => [
  row('value', 'entries', { property: 'id', scope: 'entries.id', value: `e${number}` }),
  row('reference', 'entries', {
    property: 'draftRevisionId',
    value: `r${number}`,
    recordKey: `posts/e${number}`,
  }),
  row('reference', 'revisions', { property: 'entryId', value: `e${number}`, recordKey: `r${number}` }),
  row('reference', 'comments', { property: 'parentId', value: `c${number - 1}`, recordKey: `c${number}` }),
  row('value', 'media_items', { scope: 'media_items.sha256,size', value: `["s${number}",1]` }),
]);

describe('statements over the keys of an import', () => {
  it('compare no two lists of records in pairs, though the database has no statistics of them', async () => {
    const plans: string[] = [];
    const faults = await withLongStatements(tenant.ctx.db, async (tx) => {
      await insertKeys(tx, operationId, rows);
      const explained: Queryable = {
        query: async (statement, values) => {
          const lines = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${String(statement)}`, values);
          plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
          return tx.query(statement, values);
        },
      };
      const references = {
        operationId,
        kind: 'revisions',
        property: 'entryId',
        scope: 'entries.id',
      } as const;
      const parents = { operationId, kind: 'comments', property: 'parentId' } as const;
      return [
        ...(await selectDanglingReferences(explained, references)),
        ...(await selectForeignDrafts(explained, operationId)),
        ...(await selectItemsOfOtherSize(explained, operationId)),
        ...(await selectItemsWithoutFile(explained, operationId)),
        ...(await selectCycles({ ...tx, ...explained }, parents)),
      ];
    });
    expect(faults).toMatchObject([{ property: 'sha256', count: numbers.length }]);
    expect(plans.length).toBeGreaterThan(5);
    for (const plan of plans) expect(plan).not.toContain('Nested Loop');
  });
});
