/**
 * Measures how late scheduled publications are when many of them, of many sites, are due at about the same time; also
 * while a part of the system is down.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { withClient } from '../database.js';
import { inParallel } from '../in-parallel.js';
import { api, createEntries } from '../site.js';
import type { Site } from '../systems.js';
import { textTable } from '../table.js';

export interface SchedulesSize {
  sites: number;
  /** Publications of all sites together. */
  entries: number;
  /** Time over which they are due. */
  seconds: number;
}

/** One measurement; `interrupt` is called when half of the publications are due. */
export interface ScheduleRun {
  name: string;
  interrupt?: () => unknown;
}

/** The requested times of a site's publications by the id of the entry, in milliseconds. */
type DueTimes = Map<string, number>;

interface Publication {
  id: string;
  publishedAt: string;
  version: number;
}

interface RunResult {
  name: string;
  count: number;
  /** Milliseconds between the requested time and the publication, in order. */
  lateness: number[];
  publishedTwice: number;
  /** Whether some were due before all were scheduled. */
  isLateAtStart: boolean;
}

const collection = 'posts';
/** Sites whose entries are created at the same time. */
const sitesAtOnce = 4;
const schedulesAtOnce = 16;
/** Maximum time between the last requested time and the last publication. */
const maxWaitMs = 120_000;
/** Version of an entry that was created, scheduled and published once. */
const publishedVersion = 3;

/**
 * Schedules entries over sites, once for each run, and prints how late they are published and whether any is published
 * more than once.
 * @param installation a system with several workers
 */
export async function measureSchedules(
  installation: Site,
  size: SchedulesSize,
  runs: readonly ScheduleRun[],
): Promise<void> {
  const sites: Site[] = [];
  await inParallel(Array.from({ length: size.sites }), sitesAtOnce, async () => {
    sites.push(await openSite(installation));
  });
  const results: RunResult[] = [];
  for (const run of runs) results.push(await measure(sites, size, run));
  print(size, results);
}

async function openSite(installation: Site): Promise<Site> {
  const site = await installation.createSite();
  await api(site, 'POST', '/schema/collections', { slug: collection, label: 'Posts' });
  const field = { slug: 'title', label: 'Title', type: 'string' };
  await api(site, 'POST', `/schema/collections/${collection}/fields`, field);
  return site;
}

async function measure(
  sites: readonly Site[],
  { entries, seconds }: SchedulesSize,
  { name, interrupt }: ScheduleRun,
): Promise<RunResult> {
  const perSite = Math.ceil(entries / sites.length);
  const count = perSite * sites.length;
  const created = new Map<Site, string[]>();
  await inParallel(sites, sitesAtOnce, async (site) => {
    const rows = await createEntries(site, collection, perSite, {
      data: (rank: number) => ({ title: `Entry ${rank}` }),
    });
    created.set(
      site,
      rows.map(({ id }) => id),
    );
  });
  // Scheduling takes time: the first publication is due after it.
  const startsAt = Date.now() + 1_000 + count * 5;
  const dueTimes = new Map<Site, DueTimes>();
  let position = 0;
  for (const [site, ids] of created) {
    const times: DueTimes = new Map();
    for (const id of ids) {
      // Each site has its part in every second.
      times.set(id, startsAt + Math.floor(((position * 7_919) % count) * (1000 * seconds)) / count);
      position += 1;
    }
    dueTimes.set(site, times);
    await inParallel([...times], schedulesAtOnce, ([id, dueAt]) =>
      api(site, 'POST', `/content/${collection}/${id}/schedule`, {
        scheduledAt: new Date(dueAt).toISOString(),
      }),
    );
  }
  const isLateAtStart = Date.now() > startsAt;
  await wait(Math.max(0, startsAt + (seconds * 1000) / 2 - Date.now()));
  await interrupt?.();
  await wait(Math.max(0, startsAt + seconds * 1000 - Date.now()));
  const published = await publicationsOf(dueTimes, Date.now() + maxWaitMs);
  return {
    name,
    count,
    lateness: published.map(({ lateness }) => lateness).sort((left, right) => left - right),
    publishedTwice: published.filter(({ version }) => version > publishedVersion).length,
    isLateAtStart,
  };
}

/** The publications of all entries once they are published, or those that exist at `until`. */
async function publicationsOf(
  dueTimes: ReadonlyMap<Site, DueTimes>,
  until: number,
): Promise<{ lateness: number; version: number }[]> {
  const found: { lateness: number; version: number }[] = [];
  for (const [site, times] of dueTimes) {
    for (;;) {
      // A database that was killed may not be back yet.
      const published = await selectPublications(site, [...times.keys()]).catch(() => []);
      if (published.length === times.size || Date.now() > until) {
        for (const { id, publishedAt, version } of published)
          found.push({ lateness: Date.parse(publishedAt) - (times.get(id) ?? 0), version });
        break;
      }
      await wait(100);
    }
  }
  return found;
}

/** A publication sets the time of the last change. */
const selectPublications = (site: Site, ids: readonly string[]) =>
  withClient(site.databaseUrl, async (client) => {
    const { rows } = await client.query<Publication>(
      `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "publishedAt", version
       FROM "${site.schema}".content_${collection} WHERE status = 'published' AND id = ANY($1)`,
      [ids],
    );
    return rows;
  });

function print({ sites, entries, seconds }: SchedulesSize, results: readonly RunResult[]): void {
  console.log(
    `\nschedules: ${entries} publications of ${sites} sites, due within ${seconds} s; lateness in seconds`,
  );
  if (results.some(({ isLateAtStart }) => isLateAtStart))
    console.log('Some were due before all were scheduled: their lateness includes that time.');
  console.log(
    textTable([
      ['run', 'published', 'twice', 'p50', 'p99', 'max'],
      ...results.map(({ name, count, lateness, publishedTwice }) => [
        name,
        `${lateness.length} of ${count}`,
        String(publishedTwice),
        ...[0.5, 0.99, 1].map((share) => inSeconds(lateness, share)),
      ]),
    ]),
  );
}

/** A percentile of ordered milliseconds, in seconds. */
function inSeconds(ordered: readonly number[], share: number): string {
  const value = ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))];
  return value === undefined ? '' : (value / 1000).toFixed(2);
}
