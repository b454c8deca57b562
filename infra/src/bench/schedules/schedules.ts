/**
 * Measures how late scheduled publications are when many of them, of many sites, are due at about the same time; also
 * while a worker is killed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { withClient } from '../database.js';
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

interface ScheduledSite {
  site: Site;
  /** The requested time by the id of the entry, in milliseconds. */
  dueAt: Map<string, number>;
}

const collection = 'posts';
/** Sites whose entries are created at the same time. */
const sitesAtOnce = 4;
const schedulesAtOnce = 16;
/** Maximum time between the last requested time and the last publication. */
const maxWaitMs = 120_000;

/**
 * Schedules entries over sites and prints how late they are published.
 * @param installation a system with several workers
 * @param options.killedWorker process id of a worker that is killed when half of the publications are due
 */
export async function measureSchedules(
  installation: Site,
  size: SchedulesSize,
  { killedWorker }: { killedWorker?: number | undefined } = {},
): Promise<void> {
  const sites: ScheduledSite[] = [];
  await inParallel(Array.from({ length: size.sites }), sitesAtOnce, async () => {
    sites.push(await openScheduledSite(installation, Math.ceil(size.entries / size.sites)));
  });
  const count = sites.reduce((sum, { dueAt }) => sum + dueAt.size, 0);
  // Scheduling takes time: the first publication is due after it.
  const startsAt = Date.now() + 1_000 + count * 5;
  let position = 0;
  for (const { site, dueAt } of sites) {
    const ids = [...dueAt.keys()];
    for (const id of ids) {
      // Each site has its part in every second.
      dueAt.set(id, startsAt + Math.floor(((position * 7_919) % count) * (1000 * size.seconds)) / count);
      position += 1;
    }
    await inParallel(ids, schedulesAtOnce, (id) =>
      api(site, 'POST', `/content/${collection}/${id}/schedule`, {
        scheduledAt: new Date(dueAt.get(id) ?? 0).toISOString(),
      }),
    );
  }
  const lateAtStart = Date.now() > startsAt;
  if (killedWorker !== undefined) {
    await wait(Math.max(0, startsAt + (size.seconds * 1000) / 2 - Date.now()));
    process.kill(killedWorker, 'SIGKILL');
  }
  await wait(Math.max(0, startsAt + size.seconds * 1000 - Date.now()));
  const lateness = await latenessOf(sites, Date.now() + maxWaitMs);
  print(size, lateness, count, { killedWorker, lateAtStart });
}

async function openScheduledSite(installation: Site, entries: number): Promise<ScheduledSite> {
  const site = await installation.createSite();
  await api(site, 'POST', '/schema/collections', { slug: collection, label: 'Posts' });
  const field = { slug: 'title', label: 'Title', type: 'string' };
  await api(site, 'POST', `/schema/collections/${collection}/fields`, field);
  const data = (rank: number) => ({ title: `Entry ${rank}` });
  const created = await createEntries(site, collection, entries, { data });
  return { site, dueAt: new Map(created.map(({ id }) => [id, 0])) };
}

/** Milliseconds between the requested time and the publication, of all entries once they are published. */
async function latenessOf(sites: readonly ScheduledSite[], until: number): Promise<number[]> {
  const lateness: number[] = [];
  for (const { site, dueAt } of sites) {
    for (;;) {
      const published = await publicationsOf(site);
      if (published.length === dueAt.size || Date.now() > until) {
        for (const { id, at } of published) lateness.push(Date.parse(at) - (dueAt.get(id) ?? 0));
        break;
      }
      await wait(100);
    }
  }
  return lateness.sort((left, right) => left - right);
}

/** A publication sets the time of the last change. */
const publicationsOf = (site: Site) =>
  withClient(site.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; at: string }>(
      `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
       FROM "${site.schema}".content_${collection} WHERE status = 'published'`,
    );
    return rows;
  });

function print(
  { sites, seconds }: SchedulesSize,
  lateness: readonly number[],
  count: number,
  { killedWorker, lateAtStart }: { killedWorker: number | undefined; lateAtStart: boolean },
): void {
  const at = (share: number) => {
    const value = lateness[Math.min(lateness.length - 1, Math.floor(lateness.length * share))];
    return value === undefined ? '' : (value / 1000).toFixed(2);
  };
  const title = killedWorker === undefined ? 'all workers' : 'one killed';
  console.log(
    `\nschedules: ${count} publications of ${sites} sites, due within ${seconds} s; lateness in seconds`,
  );
  if (lateAtStart) console.log('Some were due before all were scheduled: their lateness includes that time.');
  console.log(
    textTable([
      ['workers', 'published', 'p50', 'p99', 'max'],
      [title, `${lateness.length} of ${count}`, at(0.5), at(0.99), at(1)],
    ]),
  );
}

/** Handles items, several at the same time. */
async function inParallel<Item>(
  items: readonly Item[],
  size: number,
  handle: (item: Item) => Promise<unknown>,
): Promise<void> {
  // All of them take from one iterator.
  const left = items.values();
  const work = async () => {
    for (const item of left) await handle(item);
  };
  await Promise.all(Array.from({ length: size }, work));
}
