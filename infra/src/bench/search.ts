/** Compares searches, suggestions and indexing of both engines: PostgreSQL (`single`), Meilisearch (`distributed`). */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchContext } from './context.js';
import type { Operations, Runnable } from './load.js';
import { api, createEntries, publishEntries, type FilledSite } from './site.js';
import type { Site } from './systems.js';
import { randomOf, textOf, wordOf, type Random } from './words.js';

const wordsOfEach = 120;
const indexTimeoutMs = 900_000;
const pollMs = 100;

/** Creates searchable published articles. @returns the number indexed a second */
async function createArticles(site: FilledSite, count: number): Promise<number> {
  await api(site, 'POST', '/schema/collections', { slug: 'articles', label: 'Articles' });
  for (const [slug, type] of [
    ['title', 'string'],
    ['body', 'text'],
  ])
    await api(site, 'POST', '/schema/collections/articles/fields', {
      slug,
      label: slug,
      type,
      searchable: true,
    });
  const random = randomOf(7);
  const data = () => ({ title: textOf(random, 5), body: textOf(random, wordsOfEach) });
  const entries = await createEntries(site, 'articles', count, { data });
  await publishEntries(site, 'articles', entries);
  const startedAt = performance.now();
  await indexCollection(site, 'articles', count);
  return Math.round((count * 1000) / (performance.now() - startedAt));
}

interface SearchStats {
  collections: Record<string, { indexed: number } | undefined>;
}

/**
 * Enables search, and waits for the worker to finish the index.
 * @param count of published entries
 * @throws Error when the index is not finished in time
 */
export async function indexCollection(site: Site, collection: string, count: number): Promise<void> {
  await api(site, 'POST', '/search/enable', { collection, enabled: true });
  const end = performance.now() + indexTimeoutMs;
  for (;;) {
    const { collections } = await api<SearchStats>(site, 'GET', '/search/stats');
    const indexed = collections[collection]?.indexed ?? 0;
    if (indexed >= count) return;
    if (performance.now() > end)
      throw new Error(`Search has ${indexed} of ${count} entries of ${collection}`);
    await wait(pollMs);
  }
}

const searchQueries: Readonly<Record<string, (random: Random) => string>> = {
  // a common word, and a rarer one
  'search, two words': (random) => `/search?q=${wordOf(random, 50)}+${wordOf(random, 500)}`,
  'search, one common word': (random) => `/search?q=${wordOf(random, 20)}`,
  suggest: (random) => `/search/suggest?q=${wordOf(random, 50).slice(0, 4)}`,
};

/** Fills the indexes. */
export async function openSearch({
  single,
  distributed,
  load,
  searchEntryCount,
}: BenchContext): Promise<Operations> {
  const engines = { postgres: single, meili: distributed };
  for (const [name, site] of Object.entries(engines)) {
    const rate = await createArticles(site, searchEntryCount);
    console.log(`${name}: ${searchEntryCount} articles of ${wordsOfEach} words indexed, ${rate} a second`);
  }
  return Object.fromEntries(
    Object.entries(searchQueries).map(([operation, pathOf]) => [
      operation,
      Object.fromEntries(
        Object.entries(engines).map(([name, { processes, origin, headers }]) => {
          const random = randomOf(11);
          const next = () => ({ path: `/_cms/api${pathOf(random)}` });
          const run: Runnable['run'] = (seconds, connections) =>
            load({ label: `${operation} (${name})`, origin, headers, next, seconds, connections });
          return [name, { processes, run }];
        }),
      ),
    ]),
  );
}
