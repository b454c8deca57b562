import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, S3Error } from 'minio';

/** How long each kind of request may take before the store counts as down. */
export interface S3Timeouts {
  /** Requests that carry little: from their beginning to the end of the answer, or to the beginning of an object. */
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
/** Shorter than servers keep a connection, so that none is used that they are just closing. */
const idleConnectionMs = 4_000;
const retryDelayMs = 100;

/** The client ends when it is told to: what its requests belong to is found here. */
const running = new AsyncLocalStorage<AbortSignal>();

/** Requests to one S3 store, each with an end in sight. */
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
        request: ((options: http.RequestOptions, answered: (answer: http.IncomingMessage) => void) =>
          transport.request({ ...options, signal: running.getStore() }, answered)) as typeof http.request,
      },
      // The client's own second attempt writes to the terminal; `request` makes it.
      retryOptions: { disableRetry: true },
    });
  }

  /**
   * Asks the store, twice if it gives no proper answer the first time and asking twice does no harm.
   * @param work asks with the client, and may be called again
   * @throws what the client throws, or an error that tells the time when there is no answer within `timeoutMs`
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
      // The client leaves answers of failures unread; their connections are closed.
      failed.abort();
      throw error;
    }
  }
}

/** Whether the store said this, and will say it again. */
const isS3Response = (error: unknown): boolean => error instanceof S3Error || !(error instanceof Error);
