import { MeilisearchError, type Meilisearch } from 'meilisearch';
import { indexStates } from '../port/index-states.js';
import { SearchEngineUnavailable } from '../port/search-engine-errors.js';
import type { IndexStates } from '../port/search-engine.js';
import { IndexUids } from './meili-access.js';
import { lastFailures } from './meili-tasks.js';

/**
 * The states of all indexes: numbers of documents from one request of statistics, and failed writes from another (one
 * more for each thousand of them).
 * @throws SearchEngineUnavailable
 */
export async function readIndexStates(client: Meilisearch, namespace: string): Promise<IndexStates> {
  try {
    const { indexes } = await client.getStats();
    const failures = await lastFailures(client);
    const generations = Object.entries(indexes).flatMap(([uid, { numberOfDocuments }]) => {
      const name = IndexUids.parse(uid);
      return name ? [{ ...name, state: `${numberOfDocuments}/${failures.get(uid) ?? ''}` }] : [];
    });
    return indexStates(generations, (tenantId, id) => new IndexUids(namespace, tenantId).ofCollection(id));
  } catch (error) {
    throw error instanceof MeilisearchError ? new SearchEngineUnavailable(error) : error;
  }
}
