import {
  eventually,
  itemOf,
  openSite,
  useFixture,
  type ApiResponse,
  type Client,
  type CollectionInput,
  type Site,
} from '@quire/testing';

/** A site with a searchable collection `posts`, and shortcuts for its search. */
export interface SearchableSite {
  site: Site;
  admin: Client;
  /** Creates an entry and publishes it. @returns its id */
  publish(data: object, more?: object, collection?: string): Promise<string>;
  /** Response of GET /search. @param parameters further query parameters */
  search(q: string, parameters?: Record<string, string>): Promise<ApiResponse>;
  /** The titles of the hits, best first. */
  titles(q: string, parameters?: Record<string, string>): Promise<string[]>;
  suggestions(q: string, parameters?: Record<string, string>): Promise<string[]>;
  /** Waits until the hits have exactly these titles, in any order. */
  waitUntilFound(q: string, titles: string[], parameters?: Record<string, string>): Promise<void>;
  enable(collection?: string, settings?: object): Promise<ApiResponse>;
  close(): Promise<void>;
}

const searchableFields: NonNullable<CollectionInput['fields']> = [
  { slug: 'title', type: 'string', searchable: true },
  { slug: 'body', type: 'text', searchable: true },
  { slug: 'secret', type: 'string' },
];

/** Opens a site with `posts`. @param options.isEnabled whether its search is enabled */
async function openSearchableSite({ isEnabled = true } = {}): Promise<SearchableSite> {
  const site = await openSite();
  const admin = await site.as('admin');
  await site.collection({ fields: searchableFields });
  const search = (q: string, parameters: Record<string, string> = {}) =>
    admin.get(`/search?${new URLSearchParams({ q, ...parameters }).toString()}`);
  const enable = (collection = 'posts', settings: object = {}) =>
    admin.post('/search/enable', { collection, enabled: true, ...settings });
  const titles = async (q: string, parameters?: Record<string, string>) =>
    titlesOf(await search(q, parameters));
  if (isEnabled) await enable();
  return {
    site,
    admin,
    close: () => site.close(),
    search,
    enable,
    titles,
    publish: async (data, more = {}, collection = 'posts') => {
      const { id } = itemOf(await admin.post(`/content/${collection}`, { data, ...more }));
      itemOf(await admin.post(`/content/${collection}/${id}/publish`));
      return id as string;
    },
    suggestions: async (q, parameters = {}) =>
      titlesOf(await admin.get(`/search/suggest?${new URLSearchParams({ q, ...parameters }).toString()}`)),
    waitUntilFound: (q, expected, parameters) =>
      waitUntilEqual(async () => (await titles(q, parameters)).sort(), [...expected].sort()),
  };
}

/** Opens a searchable site for a file, and closes it after the tests. */
export function useSearchableSite(options?: { isEnabled: boolean }): SearchableSite {
  return useFixture(() => openSearchableSite(options));
}

/** Titles of a search response. @throws Error unless the status is 200 */
export function titlesOf({ status, data, body }: ApiResponse): string[] {
  if (status !== 200) throw new Error(`The search failed: ${status} ${JSON.stringify(body)}`);
  return (data.items as { title?: string }[]).map(({ title }) => title ?? '(none)');
}

/** Polls until the value equals the expected one. @throws Error with the last value */
export async function waitUntilEqual<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const isSame = (value: Value) => JSON.stringify(value) === JSON.stringify(expected);
  const value = await eventually(read, isSame);
  if (!isSame(value))
    throw new Error(`Still ${JSON.stringify(value)}, expected was ${JSON.stringify(expected)}`);
}
