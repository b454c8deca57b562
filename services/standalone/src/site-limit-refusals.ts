import type { AppContainer } from './app-container.js';

/** A limit of a site, in the metric of what it refuses. */
export type RefusingLimit = 'requests' | 'entries' | 'media-bytes';

/** Counts what a limit of a site refuses. @returns a function that counts one refusal */
export function refusalCounter({ metrics }: Pick<AppContainer, 'metrics'>, limit: RefusingLimit): () => void {
  const refusals = metrics.counter('quire_site_limit_refusals_total');
  refusals.increment({ limit }, 0);
  return () => refusals.increment({ limit });
}
