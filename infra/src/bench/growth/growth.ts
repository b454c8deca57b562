/**
 * Measures the latency of requests to collections of growing sizes, with one client: the cost of a request, not the
 * throughput.
 */
import { performance } from 'node:perf_hooks';
import { writeDocsPicture, writeDocsTable } from '../docs.js';
import { indexCollection } from '../search.js';
import { api } from '../site.js';
import type { Site } from '../systems.js';
import { textTable } from '../table.js';
import { caseTitle, formatCount, growthCases, type GrowthResult } from './cases.js';
import { createCollections, emptyTables, fillCollection, vacuumTables } from './fill.js';
import { plotGrowth } from './plot.js';
import { measureLatencies } from './requests.js';
import { growthRows, latencyRows } from './rows.js';

const measuredRequests = 30;
const briefRequests = 3;

interface GrowthOptions {
  sizes: readonly number[];
  /** Larger collections are not indexed: the index would take longer than all other work. */
  maxSearchedEntries: number;
  isBrief: boolean;
  writesDocs: boolean;
}

/** Prints a table of each case. Docs get all of them in one table, and a plot. */
export async function measureGrowth(
  installation: Site,
  { sizes, maxSearchedEntries, isBrief, writesDocs }: GrowthOptions,
): Promise<void> {
  const site = await installation.createSite();
  const slugs = growthCases.flatMap((_, place) => sizes.map((size) => `growing_${place}_${size}`));
  await createCollections(site, slugs);
  const count = isBrief ? briefRequests : measuredRequests;
  const results: GrowthResult[] = [];
  for (const [place, growth] of growthCases.entries()) {
    const result: GrowthResult = { ...growth, sizes: [] };
    for (const entries of sizes) {
      const startedAt = performance.now();
      const isSearchable = entries <= maxSearchedEntries;
      const collection = await fillCollection(site, `growing_${place}_${entries}`, { ...growth, entries });
      if (isSearchable) await indexCollection(site, collection.slug, collection.publishedCount);
      await vacuumTables(site);
      const filledAt = performance.now();
      const latencies = await measureLatencies(site, collection, { count, isSearchable });
      result.sizes.push({ entries, latencies });
      if (isSearchable) await disableSearch(site, collection.slug);
      await emptyTables(site, collection);
      const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
      console.log(
        `${caseTitle(growth)}, ${formatCount(entries)} entries: filled in ${seconds(startedAt, filledAt)}, ` +
          `measured in ${seconds(filledAt, performance.now())}`,
      );
    }
    results.push(result);
    console.log(`\ngrowth: ${caseTitle(growth)}, milliseconds and ratio to the smallest`);
    console.log(`${textTable(latencyRows(result))}\n`);
  }
  if (!writesDocs) return;
  await writeDocsTable('growth', growthRows(results));
  await writeDocsPicture('growth', plotGrowth(results));
}

const disableSearch = (site: Site, collection: string) =>
  api(site, 'POST', '/search/enable', { collection, enabled: false });
