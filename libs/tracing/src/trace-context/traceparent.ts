import { randomFillSync } from 'node:crypto';

/** Header with the trace context of a request (W3C Trace Context). */
export const traceHeader = 'traceparent';

const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const version = '00';
const sampledFlag = 1;

const idBytes = 24;
/** One call of the operating system for many requests: it costs as much as all else that makes a context. */
const random = Buffer.allocUnsafe(idBytes * 256);
let used = random.length;

/**
 * Reads a trace context of another program.
 * @returns the context as this version of the specification writes it; undefined for anything else
 */
export function parseTraceparent(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  const found = pattern.exec(header);
  if (!found) return undefined;
  const [, givenVersion, traceId, spanId, flags = '', rest] = found;
  // Later versions may append fields; the fields of this one keep their meaning.
  if (givenVersion === version && rest !== undefined) return undefined;
  const isGivenSampled = (parseInt(flags, 16) & sampledFlag) !== 0;
  return `${version}-${traceId}-${spanId}-${isGivenSampled ? '01' : '00'}`;
}

/** The context of a new trace that is not sampled, for logs. */
export function newTrace(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const hex = random.toString('hex', used, used + idBytes);
  used += idBytes;
  return `${version}-${hex.slice(0, 32)}-${hex.slice(32)}-00`;
}

/** The id of a context's trace, as it is written to logs. */
export function traceIdOf(trace: string): string {
  return trace.slice(3, 35);
}

/** Whether the spans of a context are exported. */
export function isSampled(trace: string): boolean {
  return trace.endsWith('1');
}
