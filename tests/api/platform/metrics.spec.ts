import { describe, expect, it } from '@jest/globals';
import { metricCatalogue, type MetricName } from '@quire/observability';
import { eventuallyPasses, useSite } from '@quire/testing';
import { request } from 'undici';

const site = useSite();

interface Scraped {
  type: string;
  labels: Set<string>;
}

/** What each process of the system reports. */
async function scrapeAll(): Promise<string[]> {
  const response = await request(`${site.system.control}/installation`, { method: 'POST', body: '{}' });
  const { processes } = (await response.body.json()) as { processes: { opsPort: number }[] };
  return Promise.all(
    processes.map(async ({ opsPort }) => (await request(`http://127.0.0.1:${opsPort}/metrics`)).body.text()),
  );
}

/** The metrics of Quire in a report, by name. */
function metricsOf(text: string): Map<string, Scraped> {
  const metrics = new Map<string, Scraped>();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (quire_\w+) (\w+)$/gm))
    metrics.set(name, { type, labels: new Set() });
  for (const [, series = '', labels = ''] of text.matchAll(/^(quire_\w+)\{(.*)\} /gm)) {
    const name = metrics.has(series) ? series : series.replace(/_(bucket|sum|count)$/, '');
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metrics.get(name)?.labels.add(label);
  }
  return metrics;
}

/** The metrics of all processes. */
const allMetrics = async () => (await scrapeAll()).flatMap((text) => [...metricsOf(text)]);

describe('the metrics of all processes (operations)', () => {
  it('are those of the catalogue, with its types and labels', async () => {
    for (const [name, { type, labels }] of await allMetrics()) {
      const declared = metricCatalogue[name as MetricName];
      expect([name, type]).toEqual([name, declared?.type]);
      const known: readonly string[] = [...declared.labels, 'le'];
      expect([name, [...labels].filter((label) => !known.includes(label))]).toEqual([name, []]);
    }
  });

  it('include each metric of the catalogue', async () => {
    const isOnRedis = site.system.arrangement === 'distributed';
    const expected = Object.keys(metricCatalogue).filter(
      (name) => isOnRedis || name !== 'quire_redis_eviction_policy',
    );
    // A scrape leaves out what could not be read.
    await eventuallyPasses(
      async () => new Set((await allMetrics()).map(([name]) => name)),
      (names) => expect([...names].sort()).toEqual(expected.sort()),
    );
  });

  it('have a queue with its jobs and workers, and the outbox of each service', async () => {
    await eventuallyPasses(
      async () => (await scrapeAll()).join('\n'),
      (text) => {
        for (const queue of ['content', 'media', 'search']) {
          expect(text).toMatch(new RegExp(`^quire_queue_jobs{queue="${queue}",state="waiting"} \\d+$`, 'm'));
          expect(text).toMatch(new RegExp(`^quire_queue_workers{queue="${queue}"} [1-9]\\d*$`, 'm'));
        }
        for (const service of ['content', 'media', 'search', 'transfer'])
          expect(text).toMatch(
            new RegExp(`^quire_outbox_messages\\{service="${service}",queue="search"} \\d+$`, 'm'),
          );
        expect(text).toMatch(/^quire_backlog_rows\{work="schedules"\} \d+$/m);
      },
    );
  });

  it('have a sweep for each kind of background work, which has succeeded', async () => {
    const startedAt = Date.now() / 1000;
    await eventuallyPasses(
      async () => (await scrapeAll()).join('\n'),
      (text) => {
        const kinds = [...text.matchAll(/^quire_backlog_rows\{work="(\w+)"\}/gm)].map(
          ([, work = '']) => work,
        );
        expect(kinds).toContain('schedules');
        const successes = new Map(
          [...text.matchAll(/^quire_sweep_last_success_timestamp_seconds\{sweep="(\w+)"\} (.+)$/gm)].map(
            ([, sweep = '', at]) => [sweep, Number(at)],
          ),
        );
        for (const work of kinds) {
          expect([work, successes.has(work)]).toEqual([work, true]);
          expect(successes.get(work)).toBeGreaterThan(startedAt);
        }
      },
    );
  });
});
