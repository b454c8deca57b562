import type { Queryable } from '@quire/database';
import { indexFormat } from '@quire/search-engine';
import type { SearchDeps } from '../search-deps.js';
import { requestReconciliations, selectStates } from '../tasks/index.js';

/**
 * Compares the states of all indexes of a database with those of the last inspection, and requests the reconciliation
 * of the collections whose state differs: the engine has lost an index or documents, failed to execute a write, was
 * replaced or restored, entries have changed since, or this version of the program has another format of indexes. One
 * request to the engine and one statement while nothing differs, however many collections there are.
 * @returns the number of requested reconciliations
 * @throws SearchEngineUnavailable
 */
export async function inspectIndexes(sql: Queryable, deps: Pick<SearchDeps, 'indexStates'>): Promise<number> {
  const engine = await deps.indexStates(sql);
  const changed = (await selectStates(sql)).flatMap(({ tenantId, collectionId, state: former }) => {
    const state = `${indexFormat} ${engine.of(tenantId, collectionId)}`;
    return state === former ? [] : [{ tenantId, collectionId, state }];
  });
  return changed.length === 0 ? 0 : requestReconciliations(sql, changed);
}
