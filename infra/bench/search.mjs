/** How fast both engines find, suggest and index: PostgreSQL behind `single`, Meilisearch behind `distributed`. */
import { performance } from 'node:perf_hooks';
import { api, createEntries } from './site.mjs';

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

/** The words of a language that was made up: the further down, the rarer. */
const vocabulary = Array.from({ length: vocabularySize }, (_, number) => {
  let word = '';
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16];
  return word;
});

/** The same numbers in every run. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A word as texts have them: common ones often. @param from the commonest that is wanted */
const wordOf = (random, from = 0) =>
  vocabulary[Math.min(vocabularySize - 1, from + Math.floor((vocabularySize - from) * random() ** 3))];
const textOf = (random, count) => Array.from({ length: count }, () => wordOf(random)).join(' ');

/** Published articles that can be searched. @returns how many were indexed a second */
async function createArticles(site, count) {
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

const indexed = async (site) => (await api(site, 'GET', '/search/stats')).collections.articles?.indexed ?? 0;

/** Queries of two words: one that a part of the articles has, and a rarer one. */
const searchQueries = {
  'search, two words': (random) => `/search?q=${wordOf(random, 50)}+${wordOf(random, 500)}`,
  'search, one common word': (random) => `/search?q=${wordOf(random, 20)}`,
  suggest: (random) => `/search/suggest?q=${wordOf(random, 50).slice(0, 4)}`,
};

/** @returns by operation and variant: the process to watch, and what loads it for some seconds */
export async function openSearch({ single, distributed, load, searchEntries }) {
  const engines = { postgres: single, meili: distributed };
  for (const [name, site] of Object.entries(engines)) {
    const rate = await createArticles(site, searchEntries);
    console.log(`${name}: ${searchEntries} articles of ${wordsOfEach} words indexed, ${rate} a second`);
  }
  return Object.fromEntries(
    Object.entries(searchQueries).map(([operation, pathOf]) => [
      operation,
      Object.fromEntries(
        Object.entries(engines).map(([name, { pid, origin, headers }]) => {
          const random = randomOf(11);
          const next = () => ({ path: `/_cms/api${pathOf(random)}` });
          const run = (seconds, connections) =>
            load({ label: `${operation} (${name})`, origin, headers, next, seconds, connections });
          return [name, { pid, run }];
        }),
      ),
    ]),
  );
}
