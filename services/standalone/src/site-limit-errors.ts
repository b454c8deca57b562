import type { AppContainer } from './app-container.js';

/** A limit of a site, in the metric of the errors that it causes. */
export type CountedLimit = 'requests' | 'entries' | 'media-bytes';

/** Counts what is rejected for a limit of a site. @returns a function that counts one rejection */
export function limitErrorCounter(
  { metrics }: Pick<AppContainer, 'metrics'>,
  limit: CountedLimit,
): () => void {
  const errors = metrics.counter('quire_site_limit_errors_total');
  errors.increment({ limit }, 0);
  return () => errors.increment({ limit });
}
