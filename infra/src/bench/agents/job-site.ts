import { setTimeout as wait } from 'node:timers/promises';
import { api } from '../site.js';
import type { Site } from '../systems.js';

/** The collection that the agents work on. */
export const collection = 'stories';
/** A word of one published entry. */
export const searchedWord = 'lighthouse';

/** An entry of a result. */
export interface Item {
  id: string;
  slug: string;
  status: string;
  locale: string;
  data: Record<string, unknown>;
}

/** The result of tools that return an entry. */
export interface Entry {
  item: Item;
  _rev: string;
}

/** The site of the agents, with operations of other users, which do not count. */
export interface JobSite {
  /** Creates a draft of an Admin. @returns its id */
  draft(): Promise<string>;
  /** Creates a published entry. @returns its id */
  published(): Promise<string>;
  /** Another user begins to edit an entry. */
  lock(id: string): Promise<void>;
  /** Calls the REST API as an Admin. */
  rest<Data = unknown>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Data>;
}

const fields = [
  { slug: 'title', type: 'string', required: true, searchable: true },
  { slug: 'body', type: 'portableText', searchable: true },
  { slug: 'cover', type: 'image' },
  { slug: 'rank', type: 'integer', indexed: true },
];

/** Creates the collection of the agents, a taxonomy, and an entry that a search finds. */
export async function prepareJobSite(site: Site): Promise<JobSite> {
  const rest: JobSite['rest'] = (method, path, body) => api(site, method, path, body);
  const supports = ['drafts', 'revisions', 'scheduling', 'search', 'seo'];
  await rest('POST', '/schema/collections', { slug: collection, label: 'Stories', supports });
  for (const field of fields)
    await rest('POST', `/schema/collections/${collection}/fields`, { label: field.slug, ...field });
  await rest('POST', '/search/enable', { collection, enabled: true });
  let count = 0;
  const draft = async (title = 'A story') => {
    count += 1;
    const body = { data: { title: `${title} ${count}`, rank: count } };
    return (await rest<{ item: Item }>('POST', `/content/${collection}`, body)).item.id;
  };
  const published = async (title?: string) => {
    const id = await draft(title);
    await rest('POST', `/content/${collection}/${id}/publish`, {});
    return id;
  };
  await published(`The ${searchedWord}`);
  await waitUntilFound(rest);
  const cookie = `cms_session=${await site.openSession('locking@example.com')}`;
  const editor = { ...site, headers: { host: site.host, cookie, 'x-cms-request': '1' } };
  const lock = async (id: string) => {
    await api(editor, 'POST', `/content/${collection}/${id}/lock`, {});
  };
  return { draft: () => draft(), published: () => published(), lock, rest };
}

/** The index is maintained by a worker. */
async function waitUntilFound(rest: JobSite['rest']): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { items } = await rest<{ items: unknown[] }>('GET', `/search?q=${searchedWord}`);
    if (items.length > 0) return;
    await wait(100);
  }
  throw new Error('The search does not find the published entry');
}
