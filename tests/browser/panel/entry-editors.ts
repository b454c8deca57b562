import { beforeAll, expect } from '@jest/globals';
import { createEntry, eventuallyPasses, type Client, type TestRole } from '@quire/testing';
import type { Page } from 'playwright-core';
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
    await clients.admin.put('/settings', { timezone: 'Asia/Tokyo' });
  });

  /** Creates a draft of an editor. */
  const article = (title: string, data: object = {}, client = clients.editor) =>
    createEntry(client, 'articles', { title, body: undefined, ...data });

  /** Opens an entry in the editor, as a user. @param id `new` for a new one */
  async function openEditor(
    id: string,
    {
      role = 'editor',
      name = 'eva',
      width = 1280,
      ...options
    }: { role?: TestRole; name?: string; width?: number; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<BrowserSession> {
    const session = await openSession({ viewport: { width, height: 800 }, ...options });
    await session.signIn(role, name);
    await goToEntry(session, id);
    return session;
  }

  /** What the server has of an entry. */
  async function stored(id: string): Promise<Record<string, unknown>> {
    const { body } = await clients.admin.get(`/content/articles/${id}`);
    return (body as { data: { item: { data: Record<string, unknown> } } }).data.item.data;
  }

  /** Waits until the server has a value. */
  const waitForStored = (id: string, data: Record<string, unknown>) =>
    eventuallyPasses(
      () => stored(id),
      (shown) => expect(shown).toMatchObject(data),
    );

  return { site, clients, openSession, article, openEditor, stored, waitForStored };
}

export async function goToEntry(session: BrowserSession, id: string): Promise<void> {
  await session.goTo(`${panel}/content/articles/${id}`);
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
