import { UserFacingError } from '../../prepare/user-facing-error.mjs';

type Method = 'GET' | 'POST' | 'PUT';

/** The envelope of a response. */
interface Envelope<Data> {
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

  /**
   * Calls an operation, with a JSON body or a form.
   * @returns the data of the response @throws UserFacingError on an error status, and when no server listens
   */
  async call<Data = unknown>(method: Method, path: string, body?: object): Promise<Data> {
    return dataOf(`${method} ${path}`, await this.#send<Data>(method, path, body));
  }

  /** Calls an operation. @returns undefined for the allowed error code */
  async callAllowing<Data = unknown>(
    allowed: string,
    method: Method,
    path: string,
    body: object,
  ): Promise<Data | undefined> {
    const response = await this.#send<Data>(method, path, body);
    return response.error?.code === allowed ? undefined : dataOf(`${method} ${path}`, response);
  }

  async #send<Data>(method: Method, path: string, body?: object): Promise<Envelope<Data>> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.#origin}/_cms/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      body: isForm ? body : body ? JSON.stringify(body) : null,
    }).catch(() => {
      throw new UserFacingError(`Nothing answers at ${this.#origin}: run npm start first.`);
    });
    return (await response.json()) as Envelope<Data>;
  }
}

function dataOf<Data>(request: string, { data, error }: Envelope<Data>): Data {
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
