import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../command.js';
import { markdownTable } from '../table.js';
import { formatCount, requestNames, type GrowthResult } from './cases.js';
import { plotGrowth } from './plot.js';
import { latencyCells } from './rows.js';

const page = join(root, 'docs/benchmarks.md');
const plot = join(root, 'docs/benchmarks-growth.svg');
const [begin, end] = ['<!-- growth: this table is written by the benchmark -->', '<!-- growth: end -->'];

/** Replaces the table and the plot of growing collections in docs/. */
export async function writeGrowthDocs(results: readonly GrowthResult[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  await writeFile(page, replaceBetween(text, markdownTable(growthRows(results))));
  await writeFile(plot, plotGrowth(results));
}

/** Replaces the text between the marks of a page. @throws Error when a mark is missing */
export function replaceBetween(text: string, table: string): string {
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no "${begin}" or "${end}"`);
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

/** One table of all cases, by request. */
function growthRows(results: readonly GrowthResult[]): string[][] {
  const sizes = results[0]?.sizes ?? [];
  const headings = ['Request', 'Published', 'Locales', ...sizes.map(({ entries }) => formatCount(entries))];
  const rows = requestNames.flatMap((name) =>
    results.map((result) => [
      name,
      `${result.publishedPercent} %`,
      String(result.localeCount),
      ...latencyCells(result, name),
    ]),
  );
  return [headings, ...rows];
}
