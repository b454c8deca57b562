/** Compares searches, suggestions and indexing of both engines: PostgreSQL (`single`), Meilisearch (`distributed`). */
import { performance } from 'node:perf_hooks';
import type { BenchContext } from './context.js';
import type { Operations, Runnable } from './load.js';
import { api, createEntries, type FilledSite } from './site.js';

const vocabularySize = 5_000;
const wordsOfEach = 120;
const concurrency = 20;
const syllables = [
  'ba',
  'co',
  'di',
  'fu',
  'ga',
  'he',
  'jo',
  'ka',
  'lu',
  'mi',
  'no',
  'pe',
  'qua',
  'ro',
  'si',
  'tu',
];

/** The words of an artificial language: the later, the rarer. */
const vocabulary = Array.from({ length: vocabularySize }, (_, number) => {
  let word = '';
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16];
  return word;
});

type Random = () => number;

/** The same numbers in every run. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A word, with the frequencies of texts. @param from the index of the commonest word */
const wordOf = (random: Random, from = 0) =>
  vocabulary[Math.min(vocabularySize - 1, from + Math.floor((vocabularySize - from) * random() ** 3))] ?? '';
const textOf = (random: Random, count: number) =>
  Array.from({ length: count }, () => wordOf(random)).join(' ');

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
  for (let index = 0; index < entries.length; index += concurrency)
    await Promise.all(
      entries
        .slice(index, index + concurrency)
        .map(({ id }) => api(site, 'POST', `/content/articles/${id}/publish`, {})),
    );
  const startedAt = performance.now();
  await api(site, 'POST', '/search/enable', { collection: 'articles', enabled: true });
  while ((await indexed(site)) < count) await new Promise((resolve) => setTimeout(resolve, 100));
  return Math.round((count * 1000) / (performance.now() - startedAt));
}

interface SearchStats {
  collections: { articles?: { indexed: number } };
}

async function indexed(site: FilledSite): Promise<number> {
  const { collections } = await api<SearchStats>(site, 'GET', '/search/stats');
  return collections.articles?.indexed ?? 0;
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
        Object.entries(engines).map(([name, { pid, origin, headers }]) => {
          const random = randomOf(11);
          const next = () => ({ path: `/_cms/api${pathOf(random)}` });
          const run: Runnable['run'] = (seconds, connections) =>
            load({ label: `${operation} (${name})`, origin, headers, next, seconds, connections });
          return [name, { pid, run }];
        }),
      ),
    ]),
  );
}
