import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { useTracer } from '../spans/spans.js';
import { InboundTraces } from './inbound-traces.js';

const unsampled = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
const sampled = unsampled.replace(/00$/, '01');
let now = 0;
let traces: InboundTraces;

beforeEach(() => {
  now = 1_000;
  traces = new InboundTraces(() => now);
});
afterEach(() => useTracer(undefined));

const exportSpans = () =>
  useTracer({
    startSpan: () => {
      throw new Error('not planned');
    },
  });
/** Number of the next requests that continue the client's trace. */
const accepted = (count: number, header = sampled) =>
  Array.from({ length: count }, () => traces.accept(header)).filter(({ parent }) => parent === header).length;

describe('InboundTraces', () => {
  it('continues the trace of a client, and ignores an invalid one', () => {
    expect(traces.accept(unsampled)).toEqual({ parent: unsampled });
    expect(traces.accept('invalid')).toEqual({});
    expect(traces.accept(undefined)).toEqual({});
  });

  it('lets clients decide on ten exported traces in a second, and only links further ones', () => {
    exportSpans();
    expect(accepted(25)).toBe(10);
    expect(traces.accept(sampled)).toEqual({ link: sampled });
    now += 500;
    expect(accepted(25)).toBe(5);
    now += 60_000;
    expect(accepted(25)).toBe(10);
  });

  it('has no limit for traces that cause no export', () => {
    expect(accepted(25)).toBe(25);
    exportSpans();
    expect(accepted(25, unsampled)).toBe(25);
  });
});
