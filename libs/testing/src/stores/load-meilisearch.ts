import { randomUUID } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import type { TestMeilisearch } from './stores.js';

const batches = 4;
const documentsOfEach = 5_000;
const wordsOfEach = 40;
const waitOptions = { timeout: 30_000 };

/**
 * Gives a Meilisearch server work for many seconds that it does before all that is asked of it later, since it does one
 * thing after the other. @returns takes the rest of that work from it
 */
export async function loadMeilisearch({ url, masterKey }: TestMeilisearch): Promise<() => Promise<void>> {
  const client = new Meilisearch({ host: url, apiKey: masterKey });
  const indexUids = Array.from({ length: batches }, () => `busy_${randomUUID()}`);
  const words = () => Array.from({ length: wordsOfEach }, () => randomUUID()).join(' ');
  for (const uid of indexUids) {
    const documents = Array.from({ length: documentsOfEach }, (_, id) => ({ id, words: words() }));
    await client.index(uid).addDocuments(documents);
  }
  return async () => {
    await client.tasks.cancelTasks({ indexUids }).waitTask(waitOptions);
    for (const uid of indexUids) await client.deleteIndex(uid);
  };
}
