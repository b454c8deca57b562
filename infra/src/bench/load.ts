import autocannon from 'autocannon';

export interface NextRequest {
  method?: string;
  path: string;
  body?: string;
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

/** A load with the CPU milliseconds a request of the server and of PostgreSQL. */
export interface Measurement extends Load {
  serverMs: number;
  databaseMs: number;
}

/** A measured variant of an operation. */
export interface Runnable {
  /** The process whose CPU time counts. */
  pid: number;
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

/**
 * Sends requests for some seconds over keep-alive connections.
 * @throws Error when a response is not 2xx
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
    duration: seconds,
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
  return {
    rate: result.requests.average,
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
