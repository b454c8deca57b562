import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, S3Error } from 'minio';

/** Timeout of each kind of request, after which the store counts as down. */
export interface S3Timeouts {
  /** Small requests: from the start to the end of the response, or to the beginning of an object. */
  responseMs: number;
  /** Sending one part of an object. */
  partMs: number;
  /** Completing a multipart upload, or copying: the store moves the bytes before it responds. */
  moveMs: number;
}

export const defaultTimeouts: S3Timeouts = { responseMs: 10_000, partMs: 60_000, moveMs: 120_000 };

export interface S3Access {
  /** Origin of the store. */
  endpoint: string;
  accessKey: string;
  secretKey: string;
  region: string;
  bucket: string;
}

const maxConnections = 64;
/** Shorter than the keep-alive time of servers, so that no connection is used while the server closes it. */
const idleConnectionMs = 4_000;
const retryDelayMs = 100;

/** Aborts the client's HTTP requests: the signal of the present request is found here. */
const running = new AsyncLocalStorage<AbortSignal>();

/** Requests to one S3 store, each with a time limit. */
export class S3Requests {
  readonly client: Client;
  private readonly agent: http.Agent;

  constructor({ endpoint, accessKey, secretKey, region }: S3Access) {
    const { protocol, hostname, port } = new URL(endpoint);
    const useSSL = protocol === 'https:';
    const transport = useSSL ? https : http;
    const keep = { keepAlive: true, maxSockets: maxConnections, timeout: idleConnectionMs };
    this.agent = new transport.Agent(keep);
    this.client = new Client({
      endPoint: hostname,
      port: port === '' ? undefined : Number(port),
      useSSL,
      accessKey,
      secretKey,
      // Without it the client would first request where the bucket is.
      region,
      transportAgent: this.agent,
      transport: {
        request: ((options: http.RequestOptions, answered: (response: http.IncomingMessage) => void) =>
          transport.request({ ...options, signal: running.getStore() }, answered)) as typeof http.request,
      },
      // The client's own retry writes to the terminal; `request` retries instead.
      retryOptions: { disableRetry: true },
    });
  }

  /**
   * Requests the store, and retries once after a failure where that is safe.
   * @param work makes the request with the client, and may be called again
   * @throws the client's error, or a timeout error without a response within `timeoutMs`
   */
  async request<Result>(
    work: (client: Client) => Promise<Result>,
    {
      timeoutMs,
      signal,
      isRepeatable = true,
    }: { timeoutMs: number; signal?: AbortSignal; isRepeatable?: boolean },
  ): Promise<Result> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const end = signal ? AbortSignal.any([late.signal, signal]) : late.signal;
    try {
      return await this.attempt(work, end).catch(async (error: unknown) => {
        if (!isRepeatable || end.aborted || isS3Response(error)) throw error;
        await wait(retryDelayMs, undefined, { signal: end });
        return this.attempt(work, end);
      });
    } catch (error) {
      throw end.aborted ? end.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async attempt<Result>(
    work: (client: Client) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const failed = new AbortController();
    try {
      return await running.run(AbortSignal.any([signal, failed.signal]), () => work(this.client));
    } catch (error) {
      // The client does not read the responses of failures; their connections are closed.
      failed.abort();
      throw error;
    }
  }
}

/** Whether the error is a response of the store, which a retry would repeat. */
const isS3Response = (error: unknown): boolean => error instanceof S3Error || !(error instanceof Error);
