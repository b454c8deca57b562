export interface MetricDeclaration {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  /** Every process that can read the value reports the same one: the maximum is right, and not the sum. */
  isShared?: true;
}

const counter = <const Labels extends readonly string[]>(labels: Labels, help: string) =>
  ({ type: 'counter', labels, help }) as const;
const gauge = <const Labels extends readonly string[]>(labels: Labels, help: string) =>
  ({ type: 'gauge', labels, help }) as const;
/** A gauge of something that processes share, as a queue or a table. */
const sharedGauge = <const Labels extends readonly string[]>(labels: Labels, help: string) =>
  ({ type: 'gauge', labels, help, isShared: true }) as const;
const histogram = <const Labels extends readonly string[]>(labels: Labels, help: string) =>
  ({ type: 'histogram', labels, help }) as const;

/**
 * The metrics of Quire, under names that dashboards and alerts rely on. No label has values that grow with the number
 * of sites, but `tenant` of the busiest ones. docs/metrics.md is generated from this object.
 */
export const metricCatalogue = {
  quire_build_info: gauge(['version', 'targets'], 'Always 1: the version and the targets of the process'),
  quire_http_requests_total: counter(
    ['service', 'operation', 'method', 'status'],
    'Answered requests; `operation` is the id of the operation, and empty where none was reached',
  ),
  quire_http_request_duration_seconds: histogram(
    ['service', 'method', 'status'],
    'Duration of answered requests',
  ),
  quire_http_requests_in_flight: gauge([], 'Requests of the gateway that are not answered yet'),
  quire_http_requests_shed_total: counter(
    ['reason'],
    'Requests rejected with 503 for the load: `capacity` of the process, `site-share` or `event-loop`',
  ),
  quire_site_limit_errors_total: counter(
    ['limit'],
    'Requests, entries and files refused because their site has reached a limit of its own: `requests`, `entries` or `media-bytes`',
  ),
  quire_mcp_tool_call_duration_seconds: histogram(
    ['tool', 'outcome'],
    'Duration of calls of MCP tools by outcome: success, or the code of the failure',
  ),
  quire_tenants: sharedGauge([], 'Sites in the registry, as the process knows it'),
  quire_tenant_requests_per_second: gauge(
    ['tenant'],
    'Requests of the 20 sites with the most of them, in the last complete minute',
  ),
  quire_job_duration_seconds: histogram(['job', 'outcome'], 'Duration of finished jobs by outcome'),
  quire_job_wait_seconds: histogram(
    ['job'],
    'Time between the message of a job, or the end of its delay, and its first attempt',
  ),
  quire_jobs_exhausted_total: counter(['job'], 'Jobs that failed for good: their attempts are used up'),
  quire_queue_jobs: sharedGauge(['queue', 'state'], 'Jobs by state: waiting, active, delayed or failed'),
  quire_queue_oldest_seconds: sharedGauge(['queue'], 'Age of the oldest waiting job'),
  quire_queue_workers: sharedGauge(['queue'], 'Workers that serve the queue'),
  quire_queue_paused: sharedGauge(['queue'], '1 for a paused queue'),
  quire_queue_paused_sites: sharedGauge(['queue'], 'Sites whose jobs in the queue are paused'),
  quire_backlog_rows: sharedGauge(['work'], 'Rows of background work that is kept in tables'),
  quire_backlog_oldest_seconds: sharedGauge(['work'], 'Age of the oldest row of background work'),
  quire_sweep_duration_seconds: histogram(
    ['sweep'],
    'Duration of the runs of periodic work, which completes what jobs and requests have left',
  ),
  quire_sweep_interval_seconds: gauge(['sweep'], 'Time between two runs'),
  quire_sweep_last_success_timestamp_seconds: gauge(
    ['sweep'],
    'Unix time of the last successful run in this process, or of its start; a long run counts with each part that it completes',
  ),
  quire_mails_total: counter(
    ['outcome'],
    'Mails by outcome: sent, skipped (the address gets none), retried, failed (its attempts are used up), expired (not sent within an hour) or rejected (the queue of the site is full)',
  ),
  quire_outbox_messages: sharedGauge(
    ['service', 'queue'],
    'Messages in the outbox by queue; an empty one for jobs that the version does not know',
  ),
  quire_outbox_oldest_seconds: sharedGauge(
    ['service', 'queue'],
    'Age of the oldest message in the outbox by queue, without those of paused sites',
  ),
  quire_outbox_dispatched_messages_total: counter(['service'], 'Messages that became jobs'),
  quire_outbox_failed_messages: sharedGauge(
    ['service'],
    'Messages that the queue rejects, which are set aside: see `cms outbox list`',
  ),
  quire_scheduled_entries_overdue: sharedGauge([], 'Overdue scheduled publications'),
  quire_scheduled_entries_overdue_max_age_seconds: sharedGauge(
    [],
    'Age of the oldest overdue scheduled publication',
  ),
  quire_schedule_lateness_seconds: histogram(
    [],
    'Time between the instant of a scheduled publication and the publication',
  ),
  quire_db_pool_connections: gauge(['service', 'state'], 'Open connections: idle or used'),
  quire_db_pool_waiting: gauge(['service'], 'Requests waiting for a connection'),
  quire_db_pool_wait_seconds: histogram(
    ['service'],
    'Time that a statement or transaction waits for a connection: for the share of its site and for the pool',
  ),
  quire_cache_entries: gauge(['cache'], 'Cached values'),
  quire_cache_drops_total: counter(
    ['cache', 'reason'],
    'Values that a cache has dropped: evicted for lack of room, expired, or invalidated by a change',
  ),
  quire_relay_gaps_total: counter(
    [],
    'Times that messages of changed data may have been missed, so that the process dropped its caches',
  ),
  quire_dependency_up: gauge(['name'], '1 while a store or another service answers this process, else 0'),
  quire_redis_eviction_policy: sharedGauge(
    ['policy'],
    'Always 1: what Redis does when its memory is full; queues need noeviction',
  ),
  quire_content_response_cache_reads_total: counter(['result'], 'Requests for cached responses: hit or miss'),
  quire_content_response_cache_bytes: gauge([], 'Bytes of cached responses'),
} as const satisfies Readonly<Record<string, MetricDeclaration>>;

type Catalogue = typeof metricCatalogue;

/** Names of the metrics of a type. */
export type MetricName<Type extends MetricDeclaration['type'] = MetricDeclaration['type']> = {
  [Name in keyof Catalogue]: Catalogue[Name]['type'] extends Type ? Name : never;
}[keyof Catalogue];

/** The labels of a metric with their values. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<Catalogue[Name]['labels'][number], string>>;

/** The metrics as a table of Markdown, for docs/metrics.md. */
export function metricReference(): string {
  const rows = Object.entries<MetricDeclaration>(metricCatalogue).map(
    ([name, { type, labels, help, isShared }]) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help}${isShared ? ' (shared)' : ''} |`,
  );
  return ['| Metric | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
