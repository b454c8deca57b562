import { randomUUID } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import type { TestMeilisearch } from './stores.js';

const batches = 4;
const documentsOfEach = 5_000;
const wordsOfEach = 40;
const waitOptions = { timeout: 30_000 };

/**
 * Keeps a Meilisearch server busy for many seconds: it runs one task after the other, so later tasks wait.
 * @returns cancels the rest of the work
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
