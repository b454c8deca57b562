import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OtlpSink } from '@quire/testing';
import { inSpan, isTracing, startSpan } from '../spans/spans.js';
import { isSampled, parseTraceparent, traceIdOf } from '../trace-context/traceparent.js';
import { startTracing } from './start-tracing.js';
import type { TracingOptions } from './tracing-options.js';

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const lines: string[] = [];
const log = (_: object, message: string) => void lines.push(message);
let sink: OtlpSink;
let stop: (() => Promise<void>) | undefined;

beforeEach(async () => {
  lines.length = 0;
  sink = await OtlpSink.open();
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  await sink.close();
});

async function start(changes: Partial<TracingOptions> = {}): Promise<void> {
  stop = await startTracing({
    endpoint: sink.endpoint,
    headers: {},
    sampler: 'parentbased_always_on',
    samplerRatio: 1,
    resource: { 'service.name': 'spec' },
    logger: { info: log, warn: log },
    ...changes,
  });
}

async function received() {
  await stop?.();
  stop = undefined;
  return sink.spans;
}

describe('startTracing', () => {
  it('exports spans with their parents, links, kinds and attributes, and the last ones when it ends', async () => {
    await start({ headers: { authorization: 'Bearer of-the-receiver' }, endpoint: `${sink.endpoint}/` });
    expect(isTracing()).toBe(true);
    const request = startSpan('GET', { kind: 'server', parent, links: [parent] });
    await inSpan('SELECT notes', { kind: 'client', parent: request?.trace }, async () => undefined);
    request?.setName('GET content');
    request?.setAttributes({ 'quire.tenant': 'acme', 'http.response.status_code': 200, absent: undefined });
    request?.end();
    const [statement, server] = await received();
    expect(isTracing()).toBe(false);
    expect(server).toMatchObject({
      name: 'GET content',
      kind: 2,
      traceId: traceIdOf(parent),
      parentSpanId: '00f067aa0ba902b7',
      links: [{ traceId: traceIdOf(parent), spanId: '00f067aa0ba902b7' }],
      attributes: { 'quire.tenant': 'acme', 'http.response.status_code': 200 },
      resource: { 'service.name': 'spec' },
      status: 0,
    });
    expect(statement).toMatchObject({ kind: 3, traceId: traceIdOf(parent), parentSpanId: server?.spanId });
    expect(sink.headers[0]).toMatchObject({ authorization: 'Bearer of-the-receiver' });
  });

  it('marks a failure with the code of its error, and never with its message', async () => {
    await start();
    const failure = Object.assign(new Error('duplicate key (email)=(zoe@example.com)'), { code: '23505' });
    const failing = inSpan('INSERT users', { kind: 'client' }, () => Promise.reject(failure));
    await expect(failing).rejects.toBe(failure);
    await expect(
      inSpan('call', { kind: 'client' }, () => Promise.reject(new TypeError('zoe'))),
    ).rejects.toThrow(TypeError);
    const spans = await received();
    expect(spans.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
      [2, '23505'],
      [2, 'TypeError'],
    ]);
    expect(JSON.stringify(spans)).not.toContain('zoe');
  });

  it.each([
    ['parentbased_always_on', true, true],
    ['parentbased_always_off', false, true],
    ['always_off', false, false],
    ['traceidratio', false, false],
  ] as const)('decides with the sampler %s', async (sampler, exportsRoots, exportsChildren) => {
    await start({ sampler, samplerRatio: 0 });
    const traces = [undefined, parent].map((given) => startSpan('work', { kind: 'server', parent: given }));
    for (const span of traces) span?.end();
    expect(traces.map((span) => isSampled(span?.trace ?? ''))).toEqual([exportsRoots, exportsChildren]);
    expect(traces.every((span) => parseTraceparent(span?.trace) !== undefined)).toBe(true);
    expect(await received()).toHaveLength(Number(exportsRoots) + Number(exportsChildren));
  });

  it.each([
    ['refuses them', 400],
    ['does not respond', undefined],
  ])('drops spans of a receiver that %s, and ends within some seconds', async (_, status) => {
    await start();
    sink.status = status;
    for (let count = 0; count < 20_000; count += 1) startSpan('work', { kind: 'internal' })?.end();
    const startedAt = Date.now();
    expect(await received()).toEqual([]);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    if (status !== undefined) expect(lines).toEqual(['traces are not exported: their spans are dropped']);
  });

  it('starts no span without a tracer', async () => {
    expect(startSpan('work', { kind: 'internal' })).toBeUndefined();
    expect(await inSpan('work', { kind: 'internal', parent }, async (trace) => trace)).toBe(parent);
  });
});
