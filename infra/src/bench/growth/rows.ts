import { formatCount, requestNames, type GrowthResult, type RequestName } from './cases.js';

/**
 * The milliseconds of a request at each size, followed by their ratio to those at the smallest one in brackets. The
 * text of a size without a measurement is empty.
 */
export function latencyCells({ sizes }: GrowthResult, name: RequestName): string[] {
  const smallest = sizes[0]?.latencies[name];
  return sizes.map(({ latencies: { [name]: latency } }, place) => {
    if (latency === undefined || smallest === undefined) return '';
    return `${latency.toFixed(1)}${place === 0 ? '' : ` (${(latency / smallest).toFixed(1)})`}`;
  });
}

/** The rows of the table of a case. */
export function latencyRows(result: GrowthResult): string[][] {
  const headings = ['request', ...result.sizes.map(({ entries }) => formatCount(entries))];
  return [headings, ...requestNames.map((name) => [name, ...latencyCells(result, name)])];
}

/** One table of all cases, by request. */
export function growthRows(results: readonly GrowthResult[]): string[][] {
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
