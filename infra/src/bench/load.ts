import autocannon from 'autocannon';
import type { SystemProcesses } from './cpu.js';

export interface NextRequest {
  method?: string;
  path: string;
  body?: string;
  /** Instead of those of the load. */
  headers?: Record<string, string>;
}

/** The results of a load: requests a second, and milliseconds. */
export interface Load {
  rate: number;
  p50: number;
  p99: number;
  count: number;
  /** Ids of the created media items. */
  itemIds?: string[];
}

/** A load with the CPU milliseconds a request of API, workers and PostgreSQL, and their sum. */
export interface Measurement extends Load {
  apiMs: number;
  workerMs: number;
  databaseMs: number;
  cpuMs: number;
}

/** A measured variant of an operation. */
export interface Runnable {
  /** The processes whose CPU time counts. */
  processes: SystemProcesses;
  run: (seconds: number, connections: number) => Promise<Load>;
  /** Runs after each load, outside the measurement. */
  clear?: (load: Load) => Promise<void>;
}

/** Runnables by operation and variant. */
export type Operations = Record<string, Record<string, Runnable>>;

export interface LoadOptions {
  label: string;
  origin: string;
  headers: Record<string, string>;
  /** Returns the next request. */
  next: () => NextRequest;
  seconds: number;
  connections: number;
}

/** Of each connection, in a load of no seconds. */
const fewestRequests = 2;

/** A load ends with a sample. */
const extentOf = (seconds: number, connections: number) =>
  seconds === 0
    ? { amount: connections * fewestRequests, sampleInt: 50 }
    : { duration: seconds, sampleInt: 1_000 };

/**
 * Sends requests over keep-alive connections for some seconds, or a few of them when there are no seconds.
 * @throws Error when a response is not 2xx, or there is none
 */
export async function load({
  label,
  origin,
  headers,
  next,
  seconds,
  connections,
}: LoadOptions): Promise<Load> {
  const instance = autocannon({
    url: origin,
    connections,
    ...extentOf(seconds, connections),
    headers,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  let failure: number | undefined;
  instance.on('response', (_client, status) => {
    if (status >= 300) failure ??= status;
  });
  const result = await instance;
  if (failure || result.errors > 0)
    throw new Error(`${label}: response ${failure ?? `with ${result.errors} errors`}`);
  if (result.requests.total === 0) throw new Error(`${label}: no response in ${seconds} s`);
  return {
    rate: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    count: result.requests.total,
  };
}

/** The value below which a part of the sorted times is. */
const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** The median and the 99th percentile. */
export function percentilesOf(times: readonly number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((left, right) => left - right);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}
