/** Seconds until the next attempt, by the number of attempts that failed so far (at least 1). */
export type Backoff = (attempts: number) => number;

/** Beyond it the factor of a delay would exceed every maximum. */
const maxDoublings = 10;

/** A delay that doubles with each failed attempt, up to a maximum. */
export function exponentialBackoff({
  initialSeconds,
  maxSeconds,
}: {
  initialSeconds: number;
  maxSeconds: number;
}): Backoff {
  return (attempts) => Math.min(maxSeconds, initialSeconds * 2 ** Math.min(maxDoublings, attempts - 1));
}
