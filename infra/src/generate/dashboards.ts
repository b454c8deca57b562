import type { MetricName } from '@quire/observability';

/** A panel: a title, a unit of Grafana, and expressions by their legend. */
type Panel = readonly [title: string, unit: Unit, expressions: Readonly<Record<string, string>>];
type Unit = 'short' | 's' | 'reqps' | 'percentunit' | 'bytes';

interface Dashboard {
  title: string;
  panels: readonly Panel[];
}

/** A name of the catalogue of metrics: another one does not compile. */
const metric = <Name extends MetricName>(name: Name): Name => name;
const rate = (series: string) => `rate(${series}[5m])`;
const sum = (by: string, series: string) => `sum by (${by}) (${series})`;
/** Processes that report the same queue or table have the same value: the maximum is that value. */
const shared = (by: string, series: string) => `max by (${by}) (${series})`;
const quantile = (share: number, by: string, name: MetricName<'histogram'>) =>
  `histogram_quantile(${share}, ${sum(`le, ${by}`, rate(`${name}_bucket`))})`;

const requests = metric('quire_http_requests_total');
const durations = metric('quire_http_request_duration_seconds');

export const dashboards: Readonly<Record<string, Dashboard>> = {
  fleet: {
    title: 'Quire: fleet',
    panels: [
      ['Requests', 'reqps', { '{{service}}': sum('service', rate(requests)) }],
      [
        'Failed requests',
        'percentunit',
        { 'of all': `sum(${rate(`${requests}{status=~"5.."}`)}) / sum(${rate(requests)})` },
      ],
      ['Duration, 99 %', 's', { '{{service}}': quantile(0.99, 'service', durations) }],
      ['Duration, median', 's', { '{{service}}': quantile(0.5, 'service', durations) }],
      ['Requests in progress', 'short', { '{{instance}}': metric('quire_http_requests_in_flight') }],
      [
        'Rejected for the load',
        'reqps',
        { '{{reason}}': sum('reason', rate('quire_http_requests_shed_total')) },
      ],
      [
        'Failures by operation',
        'reqps',
        {
          '{{operation}} {{status}}': `topk(10, ${sum('operation, status', rate(`${requests}{status=~"5.."}`))})`,
        },
      ],
      [
        'Database connections in use',
        'short',
        { '{{instance}} {{service}}': `${metric('quire_db_pool_connections')}{state="used"}` },
      ],
      [
        'Requests that wait for a connection',
        'short',
        { '{{instance}} {{service}}': metric('quire_db_pool_waiting') },
      ],
      [
        'Wait for a connection, 99 %',
        's',
        { '{{service}}': quantile(0.99, 'service', metric('quire_db_pool_wait_seconds')) },
      ],
      ['Reachable parts', 'short', { '{{name}}': `min by (name) (${metric('quire_dependency_up')})` }],
      ['Versions', 'short', { '{{version}}': `count by (version) (${metric('quire_build_info')})` }],
      ['Cached values', 'short', { '{{cache}}': sum('cache', metric('quire_cache_entries')) }],
      [
        'Values dropped from caches',
        'short',
        { '{{cache}} {{reason}}': sum('cache, reason', rate(metric('quire_cache_drops_total'))) },
      ],
      ['Memory', 'bytes', { '{{instance}}': 'process_resident_memory_bytes' }],
      ['CPU', 'percentunit', { '{{instance}}': rate('process_cpu_seconds_total') }],
    ],
  },
  queues: {
    title: 'Quire: queues',
    panels: [
      [
        'Waiting jobs',
        'short',
        { '{{queue}}': shared('queue', `${metric('quire_queue_jobs')}{state="waiting"}`) },
      ],
      [
        'Age of the oldest waiting job',
        's',
        { '{{queue}}': shared('queue', metric('quire_queue_oldest_seconds')) },
      ],
      [
        'Failed jobs',
        'short',
        { '{{queue}}': shared('queue', `${metric('quire_queue_jobs')}{state="failed"}`) },
      ],
      ['Workers', 'short', { '{{queue}}': shared('queue', metric('quire_queue_workers')) }],
      [
        'Finished jobs',
        'short',
        { '{{job}} {{outcome}}': sum('job, outcome', rate('quire_job_duration_seconds_count')) },
      ],
      [
        'Duration of jobs, 99 %',
        's',
        { '{{job}}': quantile(0.99, 'job', metric('quire_job_duration_seconds')) },
      ],
      ['Wait of jobs, 99 %', 's', { '{{job}}': quantile(0.99, 'job', metric('quire_job_wait_seconds')) }],
      [
        'Messages in the outbox',
        'short',
        { '{{service}} {{queue}}': shared('service, queue', metric('quire_outbox_messages')) },
      ],
      [
        'Age of the oldest message',
        's',
        { '{{service}} {{queue}}': shared('service, queue', metric('quire_outbox_oldest_seconds')) },
      ],
      ['Rows of background work', 'short', { '{{work}}': shared('work', metric('quire_backlog_rows')) }],
      ['Age of background work', 's', { '{{work}}': shared('work', metric('quire_backlog_oldest_seconds')) }],
      [
        'Time since the last success of sweeps',
        's',
        {
          '{{sweep}}': `time() - ${shared('sweep', metric('quire_sweep_last_success_timestamp_seconds'))}`,
        },
      ],
      [
        'Duration of sweeps, 99 %',
        's',
        { '{{sweep}}': quantile(0.99, 'sweep', metric('quire_sweep_duration_seconds')) },
      ],
      ['Late publications', 'short', { late: `max(${metric('quire_scheduled_entries_overdue')})` }],
      [
        'Lateness of publications, 99 %',
        's',
        {
          '99 %': `histogram_quantile(0.99, sum by (le) (${rate('quire_schedule_lateness_seconds_bucket')}))`,
        },
      ],
    ],
  },
  sites: {
    title: 'Quire: sites',
    panels: [
      ['Sites', 'short', { sites: `max(${metric('quire_tenants')})` }],
      [
        'Requests of the busiest sites',
        'reqps',
        { '{{tenant}}': sum('tenant', metric('quire_tenant_requests_per_second')) },
      ],
      [
        'Cached responses',
        'percentunit',
        {
          hits: `sum(${rate('quire_content_response_cache_reads_total{result="hit"}')}) / sum(${rate(metric('quire_content_response_cache_reads_total'))})`,
        },
      ],
      [
        'Memory of cached responses',
        'bytes',
        { '{{instance}}': metric('quire_content_response_cache_bytes') },
      ],
      [
        'Tool calls',
        'reqps',
        { '{{tool}}': `topk(10, ${sum('tool', rate('quire_mcp_tool_call_duration_seconds_count'))})` },
      ],
    ],
  },
};

const columns = 2;
const size = { w: 12, h: 8 };

/** A dashboard in the format of Grafana. */
export function dashboardJson(name: string): object {
  const dashboard = dashboards[name];
  if (!dashboard) throw new Error(`No dashboard ${name}`);
  const { title, panels } = dashboard;
  const datasource = { type: 'prometheus', uid: '${datasource}' };
  return {
    uid: `quire-${name}`,
    title,
    tags: ['quire'],
    schemaVersion: 39,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(([panelTitle, unit, expressions], index) => ({
      id: index + 1,
      type: 'timeseries',
      title: panelTitle,
      datasource,
      gridPos: { ...size, x: (index % columns) * size.w, y: Math.floor(index / columns) * size.h },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: Object.entries(expressions).map(([legendFormat, expr], target) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + target),
        datasource,
        expr,
        legendFormat,
      })),
    })),
  };
}
