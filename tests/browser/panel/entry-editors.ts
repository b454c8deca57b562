import { beforeAll, expect } from '@jest/globals';
import { createEntry, eventuallyPasses, type Client, type TestRole } from '@quire/testing';
import type { APIResponse, Page, Route } from 'playwright-core';
import { useBrowserSessions, type BrowserSession } from '../support.js';
import { panel } from './support.js';

/** A site with the collection `articles`, whose fields have all types that the editor has inputs for. */
export function useEntryEditors() {
  const { site, openSession } = useBrowserSessions();
  const clients = {} as { admin: Client; editor: Client; author: Client };
  beforeAll(async () => {
    clients.admin = await site.as('admin');
    clients.editor = await site.another('editor', 'eva');
    clients.author = await site.another('author', 'ann');
    const choices = ['red', 'green', 'blue', 'black', 'white', 'grey', 'pink'];
    await site.collection({
      slug: 'articles',
      fields: [
        { slug: 'title', type: 'string', label: 'Title', required: true, validation: { maxLength: 60 } },
        { slug: 'intro', type: 'text', label: 'Intro' },
        { slug: 'link', type: 'url', label: 'Link' },
        { slug: 'code', type: 'slug', label: 'Code' },
        { slug: 'price', type: 'number', label: 'Price', validation: { min: 0 } },
        { slug: 'pages', type: 'integer', label: 'Pages' },
        { slug: 'hot', type: 'boolean', label: 'Hot' },
        { slug: 'event', type: 'datetime', label: 'Event' },
        { slug: 'size', type: 'select', label: 'Size', validation: { options: ['small', 'large'] } },
        { slug: 'color', type: 'select', label: 'Color', validation: { options: choices } },
        { slug: 'tags', type: 'multiSelect', label: 'Tags' },
        { slug: 'body', type: 'portableText', label: 'Body' },
      ],
    });
    await site.collection({
      slug: 'notes',
      fields: [
        { slug: 'title', type: 'string', label: 'Title', required: true },
        { slug: 'intro', type: 'text', label: 'Intro' },
      ],
    });
    // Two users can edit a note at once.
    await clients.admin.put('/schema/collections/notes', { editLocking: false });
    await clients.admin.put('/settings', { timezone: 'Asia/Tokyo' });
  });

  /** Creates a draft of an editor. */
  const article = (title: string, data: object = {}, client = clients.editor) =>
    createEntry(client, 'articles', { title, body: undefined, ...data });
  const note = (title: string, intro = '') =>
    createEntry(clients.editor, 'notes', { title, intro, body: undefined });

  /** Opens an entry in the editor, as a user. @param path of the collection and the entry; `new` for a new one */
  async function openEditor(
    path: string,
    {
      role = 'editor',
      name = 'eva',
      width = 1280,
      ...options
    }: { role?: TestRole; name?: string; width?: number; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<BrowserSession> {
    const session = await openSession({ viewport: { width, height: 800 }, ...options });
    await session.signIn(role, name);
    await goToEntry(session, path);
    return session;
  }

  /** What the server has of an entry. */
  async function stored(path: string): Promise<Record<string, unknown>> {
    const { data } = await clients.admin.get(`/content/${path}`);
    return (data as { item: { data: Record<string, unknown> } }).item.data;
  }

  /** Waits until the server has these values. */
  const waitForStored = (path: string, data: Record<string, unknown>) =>
    eventuallyPasses(
      () => stored(path),
      (shown) => expect(shown).toMatchObject(data),
    );

  /** Sends a request of the page to the site, whose name only browsers resolve. */
  function forward(route: Route): Promise<APIResponse> {
    const request = route.request();
    const url = request.url().replace(site.host, `127.0.0.1:${new URL(request.url()).port}`);
    return route.fetch({ url, headers: { ...request.headers(), host: site.host } });
  }

  return { site, clients, openSession, article, note, openEditor, stored, waitForStored, forward };
}

export async function goToEntry(session: BrowserSession, path: string): Promise<void> {
  await session.goTo(`${panel}/content/${path}`);
  await field(session, 'Title').waitFor();
}

/** The control of a field. */
export const field = ({ page }: { page: Page }, label: string) =>
  page.getByRole('main').getByLabel(new RegExp(`^${label}( ?required)?$`));

/** The line that says whether the text is saved. */
export const stateLine = ({ page }: { page: Page }, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text });

/** Waits until everything typed is saved. */
export const waitUntilSaved = (session: { page: Page }) => stateLine(session, /^Saved \d/).waitFor();

/** The texts in the journal of the browser, of all users and entries. */
export async function journal({ page }: { page: Page }): Promise<string> {
  // The journal writes within 250 ms.
  await page.waitForTimeout(250);
  return page.evaluate<string>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('quire-panel');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const reading = database.transaction('drafts').objectStore('drafts').getAll();
      reading.onsuccess = () => {
        database.close();
        resolve(JSON.stringify(reading.result.flatMap(({ fields }) => [...fields.values()])));
      };
    };
  })`);
}
