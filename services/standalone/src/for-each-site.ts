import { Semaphore } from 'async-mutex';
import type { AppContainer } from './app-container.js';

/** Sites that a command works on at the same time, unless it is given another number. */
export const defaultJobs = 4;

/** Connections of a pool that long work on sites leaves for short statements. */
const shortConnections = 2;

/** @param Site what the work is given for each site */
export interface SiteWork<Site, Result> {
  /** Number of sites at the same time. */
  jobs: number;
  work: (site: Site) => Promise<Result>;
  /** Called at the end of each site, in the order of the ends. */
  onDone: (site: Site, result: Result) => void | Promise<void>;
  onFailed: (site: Site, error: Error) => void | Promise<void>;
}

/** Works on sites, several at the same time. One that fails does not stop the others. */
export async function forEachSite<Site, Result>(
  sites: readonly Site[],
  { jobs, work, onDone, onFailed }: SiteWork<Site, Result>,
): Promise<void> {
  const slots = new Semaphore(jobs);
  const workOn = async (site: Site) => {
    const ended = await work(site).then(
      (result) => () => onDone(site, result),
      (error: Error) => () => onFailed(site, error),
    );
    await ended();
  };
  await Promise.all(sites.map((site) => slots.runExclusive(() => workOn(site))));
}

/** The number of sites at the same time for work that keeps a connection of the pool to its end. */
export function jobsWithConnection(
  { environment: { CMS_DATABASE_POOL_SIZE } }: Pick<AppContainer, 'environment'>,
  jobs = defaultJobs,
): number {
  return Math.min(jobs, Math.max(1, CMS_DATABASE_POOL_SIZE - shortConnections));
}
