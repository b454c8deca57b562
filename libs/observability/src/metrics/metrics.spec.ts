import { describe, expect, it } from '@jest/globals';
import { metricCatalogue, metricReference, type MetricName } from './catalogue.js';
import { Metrics } from './metrics.js';

const lines = async (metrics: Metrics, name: MetricName) =>
  (await metrics.registry.getSingleMetricAsString(name)).split('\n').filter((line) => !line.startsWith('#'));

describe('Metrics.gauge', () => {
  it('reads each series of a name at the scrape', async () => {
    const metrics = new Metrics();
    let count = 1;
    metrics.gauge('quire_db_pool_waiting', { service: 'a' }, () => count);
    metrics.gauge('quire_db_pool_waiting', { service: 'b' }, () => Promise.resolve(count * 10));
    const scraped = () => lines(metrics, 'quire_db_pool_waiting');
    expect(await scraped()).toEqual([
      'quire_db_pool_waiting{service="a"} 1',
      'quire_db_pool_waiting{service="b"} 10',
    ]);
    count = 2;
    expect(await scraped()).toEqual([
      'quire_db_pool_waiting{service="a"} 2',
      'quire_db_pool_waiting{service="b"} 20',
    ]);
  });

  it('leaves out a series whose read fails', async () => {
    const metrics = new Metrics();
    const failing = () => Promise.reject(new Error('no database'));
    metrics.gauge('quire_db_pool_waiting', { service: 'a' }, failing);
    metrics.gauge('quire_db_pool_waiting', { service: 'b' }, () => 5);
    expect(await lines(metrics, 'quire_db_pool_waiting')).toEqual(['quire_db_pool_waiting{service="b"} 5']);
  });

  it('needs no labels, and leaves out the former value when a read fails', async () => {
    const metrics = new Metrics();
    let isFailing = false;
    metrics.gauge('quire_content_response_cache_bytes', {}, () => {
      if (isFailing) throw new Error('no database');
      return 3;
    });
    expect(await lines(metrics, 'quire_content_response_cache_bytes')).toEqual([
      'quire_content_response_cache_bytes 3',
    ]);
    isFailing = true;
    expect(await lines(metrics, 'quire_content_response_cache_bytes')).toEqual([]);
  });
});

describe('Metrics.counter and Metrics.histogram', () => {
  it('are the same series for each caller of a name', async () => {
    const metrics = new Metrics();
    for (const service of ['a', 'b', 'a']) {
      metrics.counter('quire_outbox_dispatched_messages_total').increment({ service });
      metrics.histogram('quire_db_pool_wait_seconds').observe({ service }, 1);
    }
    expect(await lines(metrics, 'quire_outbox_dispatched_messages_total')).toEqual([
      'quire_outbox_dispatched_messages_total{service="a"} 2',
      'quire_outbox_dispatched_messages_total{service="b"} 1',
    ]);
    expect(await lines(metrics, 'quire_db_pool_wait_seconds')).toContain(
      'quire_db_pool_wait_seconds_count{service="a"} 2',
    );
  });
});

describe('Metrics.recordRequest', () => {
  const request = { service: 'content', method: 'GET', status: 200, tenant: 'one', seconds: 0.02 };

  it('counts requests by operation, and their durations', async () => {
    const metrics = new Metrics();
    metrics.startRecordingRequests();
    metrics.recordRequest({ ...request, operation: 'getContent' });
    metrics.recordRequest({ ...request, operation: 'getContent' });
    metrics.recordRequest({ ...request, operation: undefined, status: 404 });
    for (let scrape = 0; scrape < 2; scrape += 1)
      expect(await lines(metrics, 'quire_http_requests_total')).toEqual([
        'quire_http_requests_total{service="content",operation="getContent",method="GET",status="200"} 2',
        'quire_http_requests_total{service="content",operation="",method="GET",status="404"} 1',
      ]);
    const durations = await lines(metrics, 'quire_http_request_duration_seconds');
    expect(durations).toContain(
      'quire_http_request_duration_seconds_count{service="content",method="GET",status="200"} 2',
    );
  });
});

describe('the catalogue of metrics', () => {
  it('has names and units as Prometheus recommends', () => {
    for (const [name, { type }] of Object.entries(metricCatalogue)) {
      expect(name).toMatch(/^quire_[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });

  it('is described by a table with a row for each metric', () => {
    const rows = metricReference().split('\n').slice(2);
    expect(rows.map((row) => row.split('`')[1])).toEqual(Object.keys(metricCatalogue));
  });
});
