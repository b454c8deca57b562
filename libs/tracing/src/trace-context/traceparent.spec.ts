import { describe, expect, it } from '@jest/globals';
import { isSampled, newTrace, parseTraceparent, traceIdOf } from './traceparent.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const context = (flags: string, version = '00') => `${version}-${traceId}-${spanId}-${flags}`;

describe('parseTraceparent (W3C Trace Context)', () => {
  it('keeps a context, with the one flag that it knows', () => {
    expect(parseTraceparent(context('01'))).toBe(context('01'));
    expect(parseTraceparent(context('00'))).toBe(context('00'));
    expect(parseTraceparent(context('ff'))).toBe(context('01'));
    expect(parseTraceparent(context('02'))).toBe(context('00'));
  });

  it('reads the fields of this version in later ones', () => {
    expect(parseTraceparent(context('01', 'cc'))).toBe(context('01'));
    expect(parseTraceparent(`${context('01', 'cc')}-more`)).toBe(context('01'));
  });

  it.each([
    undefined,
    null,
    [context('01'), context('01')],
    '',
    'x',
    `${context('01')}-more`,
    `${context('01', 'cc')}.more`,
    context('01', 'ff'),
    context('1'),
    context('0g'),
    context('01').toUpperCase(),
    ` ${context('01')}`,
    `${context('01')}, ${context('01')}`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01'; DROP TABLE outbox`,
  ])('rejects %j', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

describe('newTrace', () => {
  it('makes valid contexts of different traces that are not sampled, also when it needs random bytes again', () => {
    const traces = Array.from({ length: 1_000 }, newTrace);
    expect(traces.filter((trace) => parseTraceparent(trace) !== trace)).toEqual([]);
    expect(new Set(traces.map(traceIdOf)).size).toBe(traces.length);
    expect(traces.some(isSampled)).toBe(false);
  });
});

describe('the parts of a context', () => {
  it('are the id of the trace and the decision on its export', () => {
    expect(traceIdOf(context('01'))).toBe(traceId);
    expect([isSampled(context('01')), isSampled(context('00'))]).toEqual([true, false]);
  });
});
