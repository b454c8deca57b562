import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import type { NextRequest } from '../load.js';
import { median } from '../report.js';
import { readJson } from '../responses.js';
import { api } from '../site.js';
import type { Site } from '../systems.js';
import { randomOf, wordOf } from '../words.js';
import { locales, requestNames, type Latencies, type RequestName } from './cases.js';
import { taxonomy, type GrownCollection } from './fill.js';

const deepPage = 1_000;
const pageSize = 50;
/** Reaches a depth with the fewest requests. */
const maxPageSize = 100;
/** Measured requests for each that warms up caches and plans. */
const measuredToWarmUp = 6;

type Next = () => NextRequest;

interface Page {
  nextCursor?: string;
}

/** The cursor of a page, or that of the last page of a shorter list. */
async function deepCursor(site: Site, path: string): Promise<string | undefined> {
  let cursor: string | undefined;
  let passed = 0;
  while (passed < (deepPage - 1) * pageSize) {
    const limit = passed === 0 ? pageSize : maxPageSize;
    const after: string = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { nextCursor } = await api<Page>(site, 'GET', `${path}&limit=${limit}${after}`);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
    passed += limit;
  }
  return cursor;
}

let created = 0;

/** The next request of each kind. */
async function requestsOf(
  site: Site,
  { slug, publishedIds }: GrownCollection,
): Promise<Record<RequestName, Next>> {
  const content = `/content/${slug}`;
  const panel = `/panel/entries/${slug}`;
  const published = `${content}?status=published&locale=${locales[0]}`;
  const cursor = await deepCursor(site, published);
  const json = (value: object) => encodeURIComponent(JSON.stringify(value));
  const fieldFilters = json({ active: true, rank: { gte: 100 } });
  const termFilters = json({ [taxonomy]: ['topic-3'] });
  let index = 0;
  const nextId = () => publishedIds[(index += 1) % publishedIds.length];
  const title = () => `New entry ${(created += 1)}`;
  const random = randomOf(11);
  return {
    'first page': () => ({ path: published }),
    'page 1,000': () => ({ path: cursor === undefined ? published : `${published}&cursor=${cursor}` }),
    'filtered page': () => ({
      path: `${published}&orderBy=rank&order=asc&fieldFilters=${fieldFilters}`,
    }),
    'page of one term': () => ({ path: `${published}&termFilters=${termFilters}` }),
    'panel page': () => ({ path: `${panel}?locale=${locales[0]}&columns=rank,active` }),
    'panel counts': () => ({ path: `${panel}/counts` }),
    get: () => ({ path: `${content}/${nextId()}` }),
    create: () => ({ method: 'POST', path: content, body: JSON.stringify({ data: { title: title() } }) }),
    update: () => ({
      method: 'PUT',
      path: `${content}/${nextId()}`,
      body: JSON.stringify({ data: { title: title() } }),
    }),
    search: () => ({
      path: `/search?q=${wordOf(random, 50)}+${wordOf(random, 500)}&collections=${slug}`,
    }),
  };
}

/** Sends one request after another. @returns the median of their milliseconds */
async function latencyOf({ origin, headers }: Site, next: Next, count: number): Promise<number> {
  const times: number[] = [];
  const warmUp = Math.ceil(count / measuredToWarmUp);
  for (let sent = 0; sent < warmUp + count; sent += 1) {
    const { path, method = 'GET', body } = next();
    const contentHeaders = body === undefined ? {} : { 'content-type': 'application/json' };
    const startedAt = performance.now();
    const response = await request(`${origin}/_cms/api${path}`, {
      method,
      headers: { ...headers, ...contentHeaders },
      body: body ?? null,
    });
    await readJson(`${method} ${path}`, response);
    if (sent >= warmUp) times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Measures the requests to a collection. @param count of each request */
export async function measureLatencies(
  site: Site,
  collection: GrownCollection,
  { count, isSearchable }: { count: number; isSearchable: boolean },
): Promise<Latencies> {
  const requests = await requestsOf(site, collection);
  const latencies: Latencies = {};
  for (const name of requestNames)
    if (name !== 'search' || isSearchable) latencies[name] = await latencyOf(site, requests[name], count);
  return latencies;
}
