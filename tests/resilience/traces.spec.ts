import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itemOf, OtlpSink, type Client, type ReceivedSpan, type Site } from '@quire/testing';
import { request } from 'undici';
import { closeEnvironments, TestEnvironment, waitUntil } from './support.js';

const server = 2;
const client = 3;
const producer = 4;
const consumer = 5;
const rootId = '00f067aa0ba902b7';
const title = 'A title that no span may quote';

let sink: OtlpSink;
let testEnvironment: TestEnvironment;
let site: Site;
let admin: Client;

beforeAll(async () => {
  sink = await OtlpSink.open();
  testEnvironment = await TestEnvironment.open({
    arrangement: 'distributed',
    onRedis: true,
    capturesLog: true,
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint,
      OTEL_SERVICE_NAME: 'quire-spec',
      // Only the traces that the tests begin.
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    },
  });
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  await site.collection({ fields: [{ slug: 'title', type: 'string', searchable: true }] });
  await admin.post('/search/enable', { collection: 'posts', enabled: true });
});
afterAll(async () => {
  await closeEnvironments();
  await sink.close();
});

/** Sends a request that is part of a trace. @returns the status */
async function send(traceId: string, path: string, body?: object): Promise<number> {
  const response = await request(`${testEnvironment.system.origin}/_cms/api${path}`, {
    method: 'POST',
    headers: {
      host: site.host,
      authorization: `Bearer ${admin.token}`,
      traceparent: `00-${traceId}-${rootId}-01`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body ? JSON.stringify(body) : null,
  });
  await response.body.dump();
  return response.statusCode;
}

const createEntry = async () => itemOf(await admin.post('/content/posts', { data: { title } })).id as string;
const spansOf = (traceId: string) => sink.spans.filter((span) => span.traceId === traceId);

/** The only span of the trace that fits. */
function one(spans: readonly ReceivedSpan[], isMatch: (span: ReceivedSpan) => boolean): ReceivedSpan {
  const found = spans.filter(isMatch);
  if (found.length === 1 && found[0]) return found[0];
  throw new Error(`${found.length} spans fit of ${JSON.stringify(spans.map(({ name }) => name))}`);
}

const processOf = ({ resource }: ReceivedSpan) => resource['quire.targets'];

describe('the trace of a publication in a distributed system', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  let spans: ReceivedSpan[];

  beforeAll(async () => {
    expect(await send(traceId, `/content/posts/${await createEntry()}/publish`)).toBe(200);
    const has = (isMatch: (span: ReceivedSpan) => boolean) => spansOf(traceId).some(isMatch);
    const isComplete = async () =>
      has(({ kind }) => kind === consumer) && has(({ name }) => name === 'POST content');
    await waitUntil('the spans of the gateway and of the job', isComplete, 60_000);
    spans = spansOf(traceId);
  });

  it('leads from the gateway to the service, its statements, the outbox and the job in another process', () => {
    const gateway = one(spans, ({ name }) => name === 'POST content');
    expect(gateway).toMatchObject({ kind: server, parentSpanId: rootId, status: 0 });
    expect(processOf(gateway)).toBe('gateway');
    const service = one(
      spans,
      ({ parentSpanId, kind }) => parentSpanId === gateway.spanId && kind === server,
    );
    expect(service.name).toBe('POST /_cms/api/content/:collection/:id/publish');
    expect(processOf(service)).toBe('content');
    const statements = spans.filter(
      ({ parentSpanId, kind }) => parentSpanId === service.spanId && kind === client,
    );
    expect(statements.map(({ name }) => name)).toContain('UPDATE content_posts');
    const publication = one(spans, ({ kind }) => kind === producer);
    expect(publication).toMatchObject({ name: 'publish search.index-entry', parentSpanId: service.spanId });
    const job = one(spans, ({ kind }) => kind === consumer);
    expect(job).toMatchObject({
      name: 'process search.index-entry',
      parentSpanId: publication.spanId,
      links: [{ traceId, spanId: publication.spanId }],
    });
    expect(processOf(job)).toBe('search-worker');
  });

  it('names the site, the operation and the service', () => {
    const gateway = one(spans, ({ name }) => name === 'POST content');
    expect(gateway.attributes).toMatchObject({
      'quire.tenant': site.tenant,
      'http.response.status_code': 200,
    });
    expect(gateway.resource).toMatchObject({ 'service.name': 'quire-spec' });
    const service = one(
      spans,
      ({ parentSpanId, kind }) => parentSpanId === gateway.spanId && kind === server,
    );
    expect(service.attributes).toMatchObject({ 'quire.tenant': site.tenant, 'quire.service': 'content' });
    const job = one(spans, ({ kind }) => kind === consumer);
    expect(job.attributes).toMatchObject({
      'quire.tenant': site.tenant,
      'messaging.destination.name': 'search',
    });
  });

  it('has neither credentials nor values', () => {
    const text = JSON.stringify(spans);
    expect(text).not.toContain(title);
    expect(text).not.toContain(String(admin.token));
  });

  it('is named by the log lines of the request and of the job', async () => {
    const messages = () =>
      testEnvironment.log
        .split('\n')
        .filter((line) => line.includes(`"traceId":"${traceId}"`))
        .map((line) => JSON.parse(line) as { msg: string; tenant: string; jobId?: string });
    const lines = await waitUntil('both log lines', async () => messages().length >= 2 && messages());
    expect(lines.map(({ msg }) => msg).sort()).toEqual(['job', 'request']);
    expect(lines.map(({ tenant }) => tenant)).toEqual([site.tenant, site.tenant]);
    expect(lines.find(({ msg }) => msg === 'job')?.jobId).toMatch(/^[\dA-Z]{26}$/);
  });
});

it('the job of a created entry continues the trace of its request', async () => {
  const traceId = '6bf92f3577b34da6a3ce929d0e0e4736';
  expect(await send(traceId, '/content/posts', { data: { title } })).toBe(201);
  const isJob = ({ name }: ReceivedSpan) => name === 'process search.index-entry';
  await waitUntil('the span of the job', async () => spansOf(traceId).some(isJob), 60_000);
});

it('a call of an MCP tool has a span between those of the gateway and of the service', async () => {
  const traceId = '7bf92f3577b34da6a3ce929d0e0e4736';
  const params = { name: 'menu_list', arguments: {} };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  expect(await send(traceId, '/mcp', call)).toBe(200);
  const isWhole = async () => spansOf(traceId).some(({ name }) => name === 'POST mcp');
  await waitUntil('the span of the gateway', isWhole, 60_000);
  const gateway = one(spansOf(traceId), ({ name }) => name === 'POST mcp');
  const tool = one(spansOf(traceId), ({ name }) => name === 'tools/call menu_list');
  expect(tool).toMatchObject({
    parentSpanId: gateway.spanId,
    attributes: { 'gen_ai.tool.name': 'menu_list' },
  });
  await waitUntil('the span of the service', async () =>
    spansOf(traceId).some(({ parentSpanId, kind }) => parentSpanId === tool.spanId && kind === server),
  );
});

it('a request is served while the receiver of traces does not respond', async () => {
  sink.status = undefined;
  const id = await createEntry();
  expect(await send('5bf92f3577b34da6a3ce929d0e0e4736', `/content/posts/${id}/publish`)).toBe(200);
});
