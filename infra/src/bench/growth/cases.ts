/** A collection that is measured at each size. */
export interface GrowthCase {
  publishedPercent: number;
  localeCount: number;
}

/** The requests whose latency is measured. */
export const requestNames = [
  'first page',
  'page 1,000',
  'filtered page',
  'page of one term',
  'panel page',
  'panel counts',
  'get',
  'create',
  'update',
  'search',
] as const;

export type RequestName = (typeof requestNames)[number];

/** Milliseconds by request; a request that is not measured is missing. */
export type Latencies = Partial<Record<RequestName, number>>;

/** The latencies of a case at each size. */
export interface GrowthResult extends GrowthCase {
  sizes: { entries: number; latencies: Latencies }[];
}

export const growthCases: readonly GrowthCase[] = [1, 10].flatMap((localeCount) =>
  [1, 10, 100].map((publishedPercent) => ({ publishedPercent, localeCount })),
);

/** Lists ask for the first. */
export const locales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da'] as const;

export const caseTitle = ({ publishedPercent, localeCount }: GrowthCase) =>
  `${publishedPercent} % published, ${localeCount === 1 ? 'one locale' : `${localeCount} locales`}`;

export const formatCount = (count: number) => count.toLocaleString('en-US');
