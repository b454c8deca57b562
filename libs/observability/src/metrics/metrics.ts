import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface GaugeSeries {
  labels: Readonly<Record<string, string>>;
  read: () => number | Promise<number>;
}

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

  readonly toolCalls = new Histogram({
    name: 'quire_mcp_tool_call_duration_seconds',
    help: 'Duration of calls of MCP tools by outcome: success, or the code of the failure',
    labelNames: ['tool', 'outcome'],
    buckets: secondsBuckets,
    registers: [this.registry],
  });

  private readonly gauges = new Map<string, GaugeSeries[]>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /**
   * A number that is read when metrics are scraped. A failing read leaves its series out of this scrape.
   * @param labels distinguish the series of one name; all of them have the same label names
   */
  gauge(
    { name, help, labels = {} }: { name: string; help: string; labels?: Readonly<Record<string, string>> },
    read: () => number | Promise<number>,
  ): void {
    const known = this.gauges.get(name);
    if (known) {
      known.push({ labels, read });
      return;
    }
    const series = [{ labels, read }];
    this.gauges.set(name, series);
    new Gauge({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [this.registry],
      async collect() {
        const values = await Promise.allSettled(series.map(async ({ read }) => read()));
        for (const [index, value] of values.entries()) {
          const { labels } = series[index] as GaugeSeries;
          if (value.status === 'fulfilled') this.set(labels, value.value);
          else this.remove(labels);
        }
      },
    });
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
