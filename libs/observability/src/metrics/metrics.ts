import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The Prometheus metrics of one process, under names that dashboards rely on. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new Histogram({
    name: 'quire_http_request_duration_seconds',
    help: 'Duration of answered requests',
    labelNames: ['service', 'method', 'status'],
    buckets: secondsBuckets,
    registers: [this.registry],
  });
  readonly jobs = new Histogram({
    name: 'quire_job_duration_seconds',
    help: 'Duration of finished jobs by outcome',
    labelNames: ['job', 'outcome'],
    buckets: secondsBuckets,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** A number that is read when metrics are scraped. A failing read leaves the metric out of this scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.reset();
        }
      },
    });
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
