import { setTimeout as wait } from 'node:timers/promises';
import {
  hostedApiOrigin,
  ImportSourceError,
  type SourceContext,
  type SourceInput,
} from '@quire/import-sources';
import { z } from 'zod';

const maxAttempts = 3;
const firstDelayMs = 1_000;
const timeoutMs = 60_000;
const requestedTypes = z.record(z.string(), z.object({ slug: z.string(), rest_base: z.string() }));

/** A page of a list. */
export interface HostedPage {
  items: unknown[];
  /** Number of items of all pages; undefined when the site does not give it. */
  total: number | undefined;
  pages: number;
}

/** Reads one site of the hosted edition with the access token of a user. */
export class HostedApi {
  private readonly base: string;
  private readonly headers: Record<string, string>;

  /** @throws ImportSourceError for an input without a connection */
  constructor(
    input: SourceInput,
    private readonly context: SourceContext,
    private readonly delayMs = firstDelayMs,
  ) {
    if (input.type !== 'oauth')
      throw new ImportSourceError('Connect the site of the hosted edition first, or upload its export file.');
    const site = input.siteId ?? new URL(input.url).hostname;
    this.base = `${hostedApiOrigin}/wp/v2/sites/${encodeURIComponent(site)}`;
    this.headers = { authorization: `Bearer ${input.accessToken}`, accept: 'application/json' };
  }

  /** The names of the site's types, with the path of the list of each. */
  async types(): Promise<{ name: string; path: string }[]> {
    const response = await this.request('types', { context: 'edit' });
    const parsed = requestedTypes.safeParse(await response.json().catch(() => undefined));
    if (!parsed.success) throw new ImportSourceError('The hosted edition returned no list of types.');
    return Object.values(parsed.data).map(({ slug, rest_base: path }) => ({ name: slug, path }));
  }

  async list(path: string, query: Record<string, string>): Promise<HostedPage> {
    const response = await this.request(path, query);
    const items: unknown = await response.json().catch(() => undefined);
    if (!Array.isArray(items)) throw new ImportSourceError('The hosted edition returned no list.');
    const number = (name: string) => {
      const text = response.headers.get(name) ?? '';
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    };
    return { items, total: number('x-wp-total'), pages: number('x-wp-totalpages') ?? 1 };
  }

  /** Repeats requests that fail for a time. */
  private async request(path: string, query: Record<string, string>): Promise<Response> {
    const { signal } = this.context;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.send(path, query);
      if (answer instanceof Response && answer.ok) return answer;
      const status = answer instanceof Response ? answer.status : undefined;
      if (answer instanceof Response) await answer.body?.cancel();
      const isTemporary = status === undefined || status === 429 || status >= 500;
      signal.throwIfAborted();
      if (!isTemporary || attempt === maxAttempts) throw errorOf(status);
      await wait(this.delayMs * 2 ** (attempt - 1), undefined, { signal });
    }
  }

  /** @returns the error of a request without a response */
  private async send(path: string, query: Record<string, string>): Promise<unknown> {
    const url = new URL(`${this.base}/${path}`);
    url.search = new URLSearchParams(query).toString();
    return this.context
      .fetch(url, { headers: this.headers, signal: AbortSignal.timeout(timeoutMs) })
      .catch((error: unknown) => error);
  }
}

function errorOf(status: number | undefined): ImportSourceError {
  if (status === 401 || status === 403)
    return new ImportSourceError(
      'The hosted edition does not accept the connection: connect the site again.',
    );
  if (status === 404) return new ImportSourceError('The hosted edition has no such site.');
  const reason = status === undefined ? 'does not respond' : `responded with status ${status}`;
  return new ImportSourceError(`The hosted edition ${reason}.`);
}
