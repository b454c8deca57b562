/** The hits of one path that was not found. */
export interface NotFoundHits {
  count: number;
  firstAt: string;
  lastAt: string;
  /** Of the last visit, like the next two. */
  referrer: string | null;
  userAgent: string | null;
  ip: string | null;
  /** The most frequent referrers with their counts. */
  referrers: ReadonlyMap<string, number>;
}

export interface RequestSource {
  referrer?: string | undefined;
  userAgent?: string | undefined;
  ip?: string | undefined;
}

/** Longer paths and headers are cut. */
export const maxLoggedPathLength = 1_024;
const maxHeaderLength = 512;
const maxReferrers = 5;

/** The hits of one visit. @param at an ISO instant */
export function newHit({ referrer, userAgent, ip }: RequestSource, at: string): NotFoundHits {
  const storedReferrer = cut(referrer, maxHeaderLength);
  return {
    count: 1,
    firstAt: at,
    lastAt: at,
    referrer: storedReferrer,
    userAgent: cut(userAgent, maxHeaderLength),
    ip: ip ?? null,
    referrers: new Map(storedReferrer === null ? [] : [[storedReferrer, 1]]),
  };
}

/** The hits of two periods together, in any order. */
export function mergeHits(one: NotFoundHits, other: NotFoundHits): NotFoundHits {
  const { lastAt, referrer, userAgent, ip } = one.lastAt > other.lastAt ? one : other;
  return {
    count: one.count + other.count,
    firstAt: one.firstAt < other.firstAt ? one.firstAt : other.firstAt,
    lastAt,
    referrer,
    userAgent,
    ip,
    referrers: mergeReferrers(one.referrers, other.referrers),
  };
}

/** The sums of both; only the most frequent referrers stay. */
export function mergeReferrers(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): Map<string, number> {
  const sum = new Map(one);
  for (const [referrer, count] of other) sum.set(referrer, (sum.get(referrer) ?? 0) + count);
  return new Map(byFrequency(sum).slice(0, maxReferrers));
}

/** The most frequent referrer, or null when none is known. */
export function topReferrer(referrers: Record<string, number>): string | null {
  return byFrequency(new Map(Object.entries(referrers)))[0]?.[0] ?? null;
}

function byFrequency(referrers: ReadonlyMap<string, number>): [string, number][] {
  return [...referrers].sort(([, left], [, right]) => right - left);
}

function cut(text: string | undefined, maxLength: number): string | null {
  if (text === undefined || text === '') return null;
  // PostgreSQL cannot store half a surrogate pair.
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
