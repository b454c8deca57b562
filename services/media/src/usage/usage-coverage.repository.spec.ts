import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { finishRepair } from './usage-coverage.repository.js';

describe('finishRepair', () => {
  const repair = { collectionId: 'c1', token: 't1' };
  const end = { status: 'complete', errorCode: null } as const;
  /** A database in which the repair is the current one, or not. */
  function openDatabase(isCurrent: boolean) {
    const statements: string[] = [];
    const query = (text: string) => {
      statements.push(text);
      return Promise.resolve(isCurrent && text.startsWith('UPDATE') ? [{ status: 'complete' }] : []);
    };
    return { statements, sql: { query } as unknown as Queryable };
  }

  it('deletes the entries that were indexed during the repair', async () => {
    const { sql, statements } = openDatabase(true);
    expect(await finishRepair(sql, repair, end)).toMatchObject({ status: 'complete' });
    expect(statements.at(-1)).toMatch(/^DELETE FROM media_usage_indexed_meanwhile/);
  });

  it('keeps the indexed entries for another repair that has started', async () => {
    const { sql, statements } = openDatabase(false);
    expect(await finishRepair(sql, repair, end)).toBeUndefined();
    expect(statements).toHaveLength(1);
  });
});
