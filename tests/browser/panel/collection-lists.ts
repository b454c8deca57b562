import { beforeAll, expect } from '@jest/globals';
import { createEntry, eventuallyPasses, type Client, type TestRole } from '@quire/testing';
import { useBrowserSessions, type BrowserSession } from '../support.js';
import { panel } from './support.js';

/** A site with the collection `posts`, an editor Eva and an author Ann, and browser sessions that open lists. */
export function useCollectionLists() {
  const { site, openSession } = useBrowserSessions();
  const clients = {} as { admin: Client; editor: Client; author: Client };
  beforeAll(async () => {
    const admin = (clients.admin = await site.as('admin'));
    clients.editor = await site.another('editor', 'eva');
    clients.author = await site.another('author', 'ann');
    await site.collection({
      slug: 'posts',
      fields: [
        { slug: 'title', type: 'string', required: true, indexed: true },
        {
          slug: 'color',
          type: 'select',
          label: 'Color',
          indexed: true,
          validation: { options: ['red', 'green'] },
        },
        { slug: 'pages', type: 'integer', label: 'Pages', indexed: true },
      ],
    });
    await admin.post('/taxonomies', { name: 'genre', label: 'Genres', collections: ['posts'] });
    await admin.post('/taxonomies/genre/terms', { label: 'Novel', slug: 'novel' });
    await admin.put('/settings', { timezone: 'Asia/Tokyo' });
  });

  /** A collection of the test, so that its counts depend on no other one. */
  async function openCollection(slug: string): Promise<string> {
    const title = { slug: 'title', type: 'string', indexed: true } as const;
    await site.collection({ slug, fields: [title] });
    return slug;
  }

  /** Opens the list of a collection as a user. */
  async function openList(
    {
      role = 'editor',
      name = 'eva',
      ...options
    }: { role?: TestRole; name?: string; width?: number } & {
      colorScheme?: 'light' | 'dark';
    } = {},
    path = 'posts',
  ): Promise<BrowserSession> {
    const { width = 1280, ...others } = options;
    const session = await openSession({ viewport: { width, height: 800 }, ...others });
    await session.signIn(role, name);
    await goToList(session, path);
    return session;
  }

  /** Adds entries without the API, which takes one at a time. */
  async function seedEntries(slug: string, count: number): Promise<void> {
    const first = await entry(clients.editor, slug, 'Entry 00001');
    const columns = await site.sql<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = $1 AND table_name = $2 AND is_generated = 'NEVER'`,
      [site.schema, `content_${slug}`],
    );
    const copied = columns.map(({ name }) => {
      if (name === 'id' || name === '_translation_group') return `lpad(n::text, 26, '0')`;
      if (name === 'slug') return `'entry-' || n`;
      if (name === 'title') return `'Entry ' || lpad(n::text, 5, '0')`;
      return `e."${name}"`;
    });
    await site.sql(
      `INSERT INTO "content_${slug}" (${columns.map(({ name }) => `"${name}"`).join(', ')})
       SELECT ${copied.join(', ')} FROM "content_${slug}" e, generate_series(2, ${count}) n WHERE e.id = $1`,
      [first.id],
    );
  }

  return { site, clients, openSession, openCollection, openList, seedEntries };
}

/** Creates a draft with a title. */
export const entry = (
  client: Client,
  collection: string,
  title: string,
  data: object = {},
  more: object = {},
) => createEntry(client, collection, { title, body: undefined, ...data }, more);

export async function goToList(session: BrowserSession, path: string): Promise<void> {
  await session.goTo(`${panel}/content/${path}`);
  await session.page.getByRole('tab', { name: /^All/ }).waitFor();
}

export const table = ({ page }: BrowserSession) => page.getByRole('table');
export const row = (session: BrowserSession, title: string) =>
  table(session).getByRole('row').filter({ hasText: title });
export const titles = ({ page }: BrowserSession) => page.locator('tbody th').allTextContents();
export const tab = ({ page }: BrowserSession, name: RegExp) => page.getByRole('tab', { name });
export const toast = ({ page }: BrowserSession, text: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text);

/** Waits for the titles in the table, in order. */
export async function waitForTitles(session: BrowserSession, expected: string[]): Promise<void> {
  await eventuallyPasses(
    () => titles(session),
    (shown) => expect(shown).toEqual(expected),
  );
}

export async function openMenu(session: BrowserSession, title: string): Promise<void> {
  await session.page.getByRole('button', { name: `Actions for ${title}`, exact: true }).click();
  await session.page.getByRole('menu').waitFor();
}

/** Calls an action in the menu of an entry. */
export async function act(session: BrowserSession, title: string, action: string): Promise<void> {
  await openMenu(session, title);
  await session.page.getByRole('menuitem', { name: action }).click();
}
