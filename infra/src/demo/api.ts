import { UserFacingError } from '../../prepare/user-facing-error.mjs';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Content {
  /** Sent as JSON. */
  body?: object | undefined;
  form?: FormData;
  /** Without the token. */
  isAnonymous?: boolean;
}

/** A response: its status, and the parts of the envelope. */
interface ApiResponse<Data> {
  status: number;
  data?: Data;
  error?: { code: string; message: string };
}

/** The public API of a running Quire. */
export class Api {
  readonly #origin: string;
  readonly #token: string;

  constructor({ origin, token }: { origin: string; token: string }) {
    this.#origin = origin;
    this.#token = token;
  }

  /** Sends a request. @throws UserFacingError when no server listens */
  async send<Data = unknown>(
    method: Method,
    path: string,
    { body, form, isAnonymous = false }: Content = {},
  ): Promise<ApiResponse<Data>> {
    const headers: Record<string, string> = {
      ...(isAnonymous ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const content = form ?? (body ? JSON.stringify(body) : null);
    const url = `${this.#origin}/_cms/api${path}`;
    const response = await fetch(url, { method, headers, body: content }).catch(() => {
      throw new UserFacingError(`Nothing answers at ${this.#origin}: run npm start first.`);
    });
    const envelope = (await response.json()) as Omit<ApiResponse<Data>, 'status'>;
    return { ...envelope, status: response.status };
  }

  /** Sends a form with a file. @returns the data of the response @throws UserFacingError on an error status */
  async upload<Data>(path: string, form: FormData): Promise<Data> {
    return dataOf(`POST ${path}`, await this.send<Data>('POST', path, { form }));
  }

  /** Calls an operation. @returns the data of the response @throws UserFacingError on an error status */
  async call<Data = unknown>(method: Method, path: string, body?: object): Promise<Data> {
    return dataOf(`${method} ${path}`, await this.send<Data>(method, path, { body }));
  }

  /** Calls an operation. @returns undefined for the allowed error codes */
  async callAllowing<Data = unknown>(
    allowed: readonly string[],
    method: Method,
    path: string,
    body: object,
  ): Promise<Data | undefined> {
    const response = await this.send<Data>(method, path, { body });
    if (response.error && allowed.includes(response.error.code)) return undefined;
    return dataOf(`${method} ${path}`, response);
  }

  /** All items of a list with pages. */
  async all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor: string | undefined; ;) {
      const rest = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const pagePath = `${path}${path.includes('?') ? '&' : '?'}limit=100${rest}`;
      const page: { items: Item[]; nextCursor?: string } = await this.call('GET', pagePath);
      items.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === undefined) return items;
    }
  }
}

function dataOf<Data>(request: string, { data, error }: ApiResponse<Data>): Data {
  if (error) throw new UserFacingError(`${request}: ${error.code}: ${error.message}`);
  return data as Data;
}

/** Processes every item, a few at a time. @returns the results in the order of the items */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  concurrency = 4,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < items.length; index += concurrency)
    results.push(...(await Promise.all(items.slice(index, index + concurrency).map(work))));
  return results;
}

/** `2 draft, 3 published` for a list of words. */
export function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
