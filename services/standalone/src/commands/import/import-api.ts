import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
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

interface Envelope {
  data?: unknown;
  error?: { code: ErrorCode; message: string };
}

/** A client of the import operations of a running installation (contract 1). */
export class ImportApi {
  /** An import may be silent for long: its phases have no time limit. */
  private readonly dispatcher = new Agent({ bodyTimeout: 0, headersTimeout: 0 });

  constructor(private readonly address: ApiAddress) {}

  /** Calls an operation. @throws QuireError of the API; ConfigurationError when nothing answers */
  async call<Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> {
    const response = await this.send(method, path, {
      ...(body && { body: JSON.stringify(body), contentType: 'application/json' }),
    });
    return (await dataOf(response)) as Data;
  }

  /** Sends a form with a file. @throws QuireError of the API */
  async upload<Data>(path: string, file: string, fields: Record<string, string> = {}): Promise<Data> {
    return (await dataOf(await this.sendForm(path, file, fields))) as Data;
  }

  /** Sends a form with a file, and yields the lines of the response. @throws QuireError of the API, also as a line */
  async *uploadStreaming<Line extends object>(
    path: string,
    file: string,
    fields: Record<string, string>,
  ): AsyncGenerator<Line> {
    yield* linesOf<Line>(await this.sendForm(path, file, fields));
  }

  /** Calls an operation that responds with lines. @throws QuireError of the API, also as a line */
  async *stream<Line extends object>(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): AsyncGenerator<Line> {
    const content = body && { body: JSON.stringify(body), contentType: 'application/json' };
    yield* linesOf<Line>(await this.send(method, path, content));
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async sendForm(
    path: string,
    file: string,
    fields: Record<string, string>,
  ): Promise<Dispatcher.ResponseData> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    // Read while it is sent: a file of gigabytes is not held in memory.
    form.set('file', await openAsBlob(file, { type: 'application/xml' }), basename(file));
    return this.send('POST', path, { body: form });
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    { body, contentType }: { body?: string | FormData; contentType?: string } = {},
  ): Promise<Dispatcher.ResponseData> {
    const { origin, host, token } = this.address;
    try {
      return await request(`${origin}/_cms/api/${path}`, {
        method,
        dispatcher: this.dispatcher,
        headers: {
          authorization: `Bearer ${token}`,
          ...(host !== undefined && { host }),
          ...(contentType !== undefined && { 'content-type': contentType }),
        },
        body: body ?? null,
      });
    } catch (error) {
      throw new ConfigurationError(`Nothing answers at ${origin}: start Quire first, or name it with --url`, {
        cause: error,
      });
    }
  }
}

async function dataOf(response: Dispatcher.ResponseData): Promise<unknown> {
  const { data, error } = (await response.body.json()) as Envelope;
  if (error) throw new QuireError(error.code, error.message);
  return data;
}

async function* linesOf<Line extends object>(response: Dispatcher.ResponseData): AsyncGenerator<Line> {
  if (response.statusCode >= 400) await dataOf(response);
  let rest = '';
  for await (const chunk of response.body.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield lineOf<Line>(text);
  }
  if (rest !== '') yield lineOf<Line>(rest);
}

function lineOf<Line extends object>(text: string): Line {
  const line = JSON.parse(text) as Line & { type?: string; error?: { code: ErrorCode; message: string } };
  if (line.type === 'error' && line.error) throw new QuireError(line.error.code, line.error.message);
  return line;
}
