const defaultSeconds = 3_600;
const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * How many seconds a preview link is good for. What cannot be read means an hour (contract 9).
 * @param given seconds, or a text such as "30m"
 * @param maxSeconds the longest that a link lasts, whatever was asked for
 */
export function previewLifetimeSeconds(given: unknown, maxSeconds: number): number {
  const seconds = typeof given === 'string' ? secondsIn(given) : given;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 1)
    return Math.min(maxSeconds, defaultSeconds);
  return Math.min(maxSeconds, Math.floor(seconds));
}

function secondsIn(text: string): number | undefined {
  const [, count, unit = ''] = /^\s*(\d{1,9})\s*([smhdw])\s*$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (secondsOf[unit] ?? Number.NaN);
}
