import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { cacheDrops, cacheEntries } from '../caches/observed-caches.js';
import { BusiestTenants } from './busiest-tenants.js';
import { metricCatalogue, type LabelsOf, type MetricName } from './catalogue.js';

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** A value with its labels. */
export type Sample<Name extends MetricName> = readonly [labels: LabelsOf<Name>, value: number];
type ReadSamples = () => Promise<readonly (readonly [labels: Record<string, string>, value: number])[]>;

/** A request that was answered, or given up by its client. */
export interface FinishedRequest {
  service: string;
  /** Id of the operation, if the request reached one. */
  operation: string | undefined;
  tenant: string | undefined;
  method: string;
  status: number;
  seconds: number;
}

interface RequestCount {
  labels: LabelsOf<'quire_http_requests_total'>;
  count: number;
}

/** The Prometheus metrics of one process. Only names of the catalogue exist. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requestCounts = new Map<string, RequestCount>();
  private readonly busiestTenants = new BusiestTenants();
  private readonly reads = new Map<string, ReadSamples[]>();
  private requestDurations: Histogram | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.gauges('quire_cache_entries', () => cacheEntries().map(([cache, entries]) => [{ cache }, entries]));
    this.counters('quire_cache_drops_total', () =>
      cacheDrops().map(([cache, reason, drops]) => [{ cache, reason }, drops]),
    );
  }

  /** A number that only grows; the same one for each call with a name. */
  counter<Name extends MetricName<'counter'>>(
    name: Name,
  ): { increment: (labels: LabelsOf<Name>, by?: number) => void } {
    const known = this.registry.getSingleMetric(name) as Counter | undefined;
    const counter = known ?? new Counter(this.configurationOf(name));
    return { increment: (labels, by = 1) => counter.inc(labels, by) };
  }

  /** Durations in seconds; the same ones for each call with a name. */
  histogram<Name extends MetricName<'histogram'>>(
    name: Name,
  ): { observe: (labels: LabelsOf<Name>, seconds: number) => void } {
    const known = this.registry.getSingleMetric(name) as Histogram | undefined;
    const histogram = known ?? this.createHistogram(name);
    return { observe: (labels, seconds) => histogram.observe(labels, seconds) };
  }

  /** A number that is read when metrics are scraped. A failing read leaves its series out of the scrape. */
  gauge<Name extends MetricName<'gauge'>>(
    name: Name,
    labels: LabelsOf<Name>,
    read: () => number | Promise<number>,
  ): void {
    this.gauges(name, async () => [[labels, await read()]]);
  }

  /** Several numbers of one name that are read when metrics are scraped. */
  gauges<Name extends MetricName<'gauge'>>(
    name: Name,
    read: () => readonly Sample<Name>[] | Promise<readonly Sample<Name>[]>,
  ): void {
    const known = this.reads.get(name);
    const reads = known ?? [];
    reads.push(async () => read());
    if (known) return;
    this.reads.set(name, reads);
    const { labels } = metricCatalogue[name];
    new Gauge({
      ...this.configurationOf(name),
      async collect() {
        this.reset();
        // A gauge without labels is 0 after a reset.
        if (labels.length === 0) this.remove();
        const settled = await Promise.allSettled(reads.map((readSamples) => readSamples()));
        for (const samples of settled) {
          if (samples.status !== 'fulfilled') continue;
          for (const [labelsOfSample, value] of samples.value) this.set(labelsOfSample, value);
        }
      },
    });
  }

  /** Several numbers of one name that only grow, and are read when metrics are scraped. */
  private counters<Name extends MetricName<'counter'>>(
    name: Name,
    read: () => readonly Sample<Name>[],
  ): void {
    new Counter({
      ...this.configurationOf(name),
      collect() {
        this.reset();
        for (const [labels, count] of read()) this.inc(labels, count);
      },
    });
  }

  /** Records requests from now on, with `recordRequest`. */
  startRecordingRequests(): void {
    if (this.requestDurations) return;
    this.requestDurations = this.createHistogram('quire_http_request_duration_seconds');
    this.counters('quire_http_requests_total', () =>
      [...this.requestCounts.values()].map(({ labels, count }) => [labels, count]),
    );
    this.gauges('quire_tenant_requests_per_second', () =>
      this.busiestTenants.rates().map(([tenant, rate]) => [{ tenant }, rate]),
    );
  }

  /** Requests per second of the busiest sites in the last complete minute. */
  busiestSites(): [tenant: string, rate: number][] {
    return this.busiestTenants.rates();
  }

  /** Records a request. Every request does this: the labels of known ones are not made again. */
  recordRequest({ service, operation = '', tenant, method, status, seconds }: FinishedRequest): void {
    const key = `${service} ${operation} ${method} ${status}`;
    let known = this.requestCounts.get(key);
    if (!known) {
      known = { labels: { service, operation, method, status: String(status) }, count: 0 };
      this.requestCounts.set(key, known);
    }
    known.count += 1;
    const { labels } = known;
    this.requestDurations?.observe({ service, method, status: labels.status }, seconds);
    if (tenant !== undefined) this.busiestTenants.add(tenant);
  }

  private createHistogram(name: MetricName<'histogram'>): Histogram {
    return new Histogram({ ...this.configurationOf(name), buckets: secondsBuckets });
  }

  private configurationOf(name: MetricName) {
    const { help, labels } = metricCatalogue[name];
    return { name, help, labelNames: [...labels] as string[], registers: [this.registry] };
  }
}
