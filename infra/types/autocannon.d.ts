/** The part of autocannon that the benchmark uses; the package has no types. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string;
    body?: string;
  }

  interface Options {
    url: string;
    connections: number;
    /** Seconds; in place of the number of requests. */
    duration?: number;
    /** The number of requests. */
    amount?: number;
    /** Milliseconds between samples; a load ends with one. */
    sampleInt: number;
    headers: Record<string, string>;
    requests: { setupRequest: (request: Request) => Request }[];
  }

  interface Result {
    errors: number;
    /** Seconds. */
    duration: number;
    requests: { total: number };
    latency: { p50: number; p99: number };
  }

  interface Instance extends Promise<Result> {
    on(event: 'response', listener: (client: unknown, status: number) => void): this;
  }

  export default function autocannon(options: Options): Instance;
}
