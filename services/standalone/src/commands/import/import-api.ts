import { ConfigurationError } from '@quire/config';
import { QuireError, type ErrorCode } from '@quire/errors';
import { Agent, FormData, request, type Dispatcher } from 'undici';

/** Where the API of a site is. */
export interface ApiAddress {
  /** Origin that is connected to. */
  origin: string;
  /** The site's host, if the origin is not its own. */
  host?: string | undefined;
  token: string;
}

/** A form of an import. */
export interface ImportForm {
  fields?: Record<string, string>;
  file?: { bytes: Blob; name: string } | undefined;
}

interface Envelope {
  data?: unknown;
  error?: { code: ErrorCode; message: string };
}

/** What each line of a response can be. */
interface JsonLine {
  type?: string;
  error?: { code: ErrorCode; message: string };
}

interface Sent {
  body?: string | FormData | undefined;
  headers?: Record<string, string>;
  /** Ends the request. */
  signal?: AbortSignal | undefined;
}

/** Faults of a connection that was never made. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A client of the import operations of a running installation (contract 1). Each error is one clear line. */
export class ImportApi {
  /** An import may be silent for long: its phases have no time limit. */
  private readonly dispatcher = new Agent({ bodyTimeout: 0, headersTimeout: 0 });

  constructor(private readonly address: ApiAddress) {}

  /**
   * Calls an operation.
   * @throws QuireError of the API; ConfigurationError when nothing answers, something else than Quire does, or the
   *   signal ended the request
   */
  async call<Data>(
    method: 'GET' | 'POST',
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal } = {},
  ): Promise<Data> {
    const response = await this.send(method, path, { ...jsonOf(body), signal });
    return (await this.dataOf(response, signal)) as Data;
  }

  /** Sends a form, and does not wait for the end of what it starts. @throws as `call` */
  async submit<Data>(path: string, { fields = {}, file }: ImportForm, signal: AbortSignal): Promise<Data> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    if (file) form.set('file', file.bytes, file.name);
    const headers = { prefer: 'respond-async' };
    return (await this.dataOf(
      await this.send('POST', path, { body: form, headers, signal }),
      signal,
    )) as Data;
  }

  /** Calls an operation that responds with lines. @throws as `call`, also for an error that is a line */
  async *stream<Line extends object>(
    method: 'GET' | 'POST',
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal } = {},
  ): AsyncGenerator<Line> {
    const response = await this.send(method, path, { ...jsonOf(body), signal });
    if (response.statusCode >= 400) await this.dataOf(response, signal);
    try {
      for await (const line of linesOf<Line>(response.body)) {
        const { type, error } = line as JsonLine;
        if (type === 'error' && error) throw new QuireError(error.code, error.message);
        yield line;
      }
    } catch (error) {
      throw this.failureOf(error, signal);
    }
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    { body, headers, signal }: Sent,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, host, token } = this.address;
    try {
      return await request(`${origin}/_cms/api/${path}`, {
        method,
        dispatcher: this.dispatcher,
        headers: { ...headers, authorization: `Bearer ${token}`, ...(host !== undefined && { host }) },
        body: body ?? null,
        signal: signal ?? null,
      });
    } catch (error) {
      throw this.failureOf(error, signal);
    }
  }

  private async dataOf(response: Dispatcher.ResponseData, signal?: AbortSignal): Promise<unknown> {
    const { statusCode, body } = response;
    const text = await body.text().catch((error: unknown) => {
      throw this.failureOf(error, signal);
    });
    const { data, error } = envelopeOf(text);
    if (error) throw new QuireError(error.code, error.message);
    if (data === undefined)
      throw new ConfigurationError(`${this.address.origin} is no Quire: it responds with ${statusCode}`);
    return data;
  }

  /** The error for a request without a whole response. */
  private failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
    const { origin } = this.address;
    if (error instanceof QuireError) return error;
    const because = (message: string) => new ConfigurationError(message, { cause: error });
    if (signal?.aborted === true) return because('Stopped; the same command continues');
    const { name, code, message } = error as Error & { code?: string };
    if (name === 'NotReadableError') return because('The file changed while it was sent; repeat the command');
    return because(
      unreachableCodes.has(code ?? '')
        ? `Nothing answers at ${origin}: start Quire first, or name it with --url`
        : `The connection to ${origin} ended (${message}); the same command continues`,
    );
  }
}

const jsonOf = (body: object | undefined): Pick<Sent, 'body' | 'headers'> =>
  body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};

function envelopeOf(text: string): Envelope {
  try {
    return (JSON.parse(text) ?? {}) as Envelope;
  } catch {
    return {};
  }
}

/** Reads the lines of a response as objects. @throws Error when the response ends within a line */
async function* linesOf<Line extends object>(body: Dispatcher.ResponseData['body']): AsyncGenerator<Line> {
  let rest = '';
  for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
  if (rest !== '') throw new Error('the response is cut');
}
