import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns';
import type { Readable } from 'node:stream';
import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { CommandError, messageOf } from '../command-error.js';
import type { ProxyVariables } from '../environment.js';
import { isLoopback } from '../sites/site-origin.js';

/** Limits of a request unless it has its own. */
const headersTimeoutMs = 120_000;
/** Silence after which a response counts as broken. */
const bodyTimeoutMs = 60_000;

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  /** A stream is opened for each attempt. */
  body?: string | Buffer | (() => Readable | Buffer);
  signal?: AbortSignal | undefined;
  /** Time until the first byte of the response. */
  timeoutMs?: number;
  /** Time until the last byte of the response. Default: none. */
  totalTimeoutMs?: number;
}

export type HttpResponse = Dispatcher.ResponseData;

/** The connection to a site broke, or nothing answers. Another attempt may succeed. */
export class ConnectionError extends CommandError {
  override name = 'ConnectionError';
}

/**
 * Sends requests, to other computers through the proxy of the environment. Names below localhost are this computer, as
 * for browsers; no proxy gets requests to it, which have no TLS.
 */
export class HttpClient {
  private readonly local = new Agent({ bodyTimeout: bodyTimeoutMs, connect: { lookup: lookupLoopback } });
  private remote: Dispatcher | undefined;

  constructor(private readonly proxies: ProxyVariables) {}

  /**
   * @throws ConnectionError without a response; CommandError for a redirect, which would carry the token elsewhere, and
   *   for a proxy that is not an address; the reason of the signal when it aborts
   */
  async send(url: string, options: HttpRequest = {}): Promise<HttpResponse> {
    const { origin, hostname } = new URL(url);
    const dispatcher = isLoopback(hostname) ? this.local : (this.remote ??= openRemote(this.proxies));
    const response = await this.request(url, options, dispatcher).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      throw new ConnectionError(`${origin} does not answer: ${reasonOf(error)}`, { cause: error });
    });
    if (response.statusCode < 300 || response.statusCode >= 400) return response;
    await response.body.dump();
    const target = String(response.headers.location ?? 'another address');
    throw new CommandError(`${origin} redirects to ${target}: use the address that the site has`);
  }

  async close(): Promise<void> {
    await Promise.all([this.local.destroy(), this.remote?.destroy()]);
  }

  private request(url: string, options: HttpRequest, dispatcher: Dispatcher): Promise<HttpResponse> {
    const {
      method = 'GET',
      headers,
      body = null,
      signal,
      timeoutMs = headersTimeoutMs,
      totalTimeoutMs,
    } = options;
    const signals = [
      ...(signal ? [signal] : []),
      ...(totalTimeoutMs === undefined ? [] : [AbortSignal.timeout(totalTimeoutMs)]),
    ];
    return request(url, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      body: typeof body === 'function' ? body() : body,
      dispatcher,
      headersTimeout: timeoutMs,
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    });
  }
}

/** @throws CommandError for a proxy that is not an address */
function openRemote({ httpsProxy, noProxy = '' }: ProxyVariables): Dispatcher {
  return new EnvHttpProxyAgent({
    bodyTimeout: bodyTimeoutMs,
    // Sites of other computers have https. Empty texts keep the library from reading the environment itself.
    httpProxy: '',
    httpsProxy: httpsProxy === undefined ? '' : proxyAddressOf(httpsProxy),
    noProxy,
  });
}

/** The address of a proxy; without a scheme it has http. @throws CommandError, whose text has no password */
function proxyAddressOf(variable: string): string {
  const address = variable.includes('://') ? variable : `http://${variable}`;
  if (URL.canParse(address) && /^https?:/.test(address)) return address;
  throw new CommandError(
    'HTTPS_PROXY is not the address of a proxy for http, such as http://proxy.example:3128',
  );
}

/** All addresses of a name may have failed; the first failure is the reason. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof AggregateError ? error.errors[0] : error);
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

function lookupLoopback(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  if (!isLoopback(hostname)) return lookup(hostname, options, callback);
  const addresses: LookupAddress[] = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  if (options.all === true) callback(null, addresses);
  else callback(null, '127.0.0.1', 4);
}
