import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, eventuallyPasses, type Client, type TestRole } from '@quire/testing';
import { useBrowserSessions, type BrowserSession } from '../support.js';
import { isTooWide, panel, violations } from './support.js';

const { site, openSession } = useBrowserSessions();
let admin: Client;
let editor: Client;
let author: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  editor = await site.another('editor', 'eva');
  author = await site.another('author', 'ann');
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

const entry = (client: Client, collection: string, title: string, data: object = {}, more: object = {}) =>
  createEntry(client, collection, { title, body: undefined, ...data }, more);

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

async function goToList(session: BrowserSession, path: string): Promise<void> {
  await session.goTo(`${panel}/content/${path}`);
  await session.page.getByRole('tab', { name: /^All/ }).waitFor();
}

const table = ({ page }: BrowserSession) => page.getByRole('table');
const row = (session: BrowserSession, title: string) =>
  table(session).getByRole('row').filter({ hasText: title });
const titles = ({ page }: BrowserSession) => page.locator('tbody th').allTextContents();
const tab = ({ page }: BrowserSession, name: RegExp) => page.getByRole('tab', { name });
const toast = ({ page }: BrowserSession, text: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text);

/** Waits for the titles in the table, in order. */
async function waitForTitles(session: BrowserSession, expected: string[]): Promise<void> {
  await eventuallyPasses(
    () => titles(session),
    (shown) => expect(shown).toEqual(expected),
  );
}

async function openMenu(session: BrowserSession, title: string): Promise<void> {
  await session.page.getByRole('button', { name: `Actions for ${title}`, exact: true }).click();
  await session.page.getByRole('menu').waitFor();
}

/** Calls an action in the menu of an entry. */
async function act(session: BrowserSession, title: string, action: string): Promise<void> {
  await openMenu(session, title);
  await session.page.getByRole('menuitem', { name: action }).click();
}

describe('the list of a collection', () => {
  it('shows the new title of a renamed draft of a published entry, which a search finds', async () => {
    const slug = await openCollection('renamed');
    const published = await entry(editor, slug, 'The former name');
    await published.publish();
    await published.put({ data: { title: 'The new name' } });
    await entry(editor, slug, 'Another');
    const session = await openList({}, slug);
    await row(session, 'The new name').getByText('Published. Changes not live').waitFor();
    expect(await titles(session)).toEqual(['Another', 'The new name']);
    await session.page.getByRole('searchbox').fill('new na');
    await waitForTitles(session, ['The new name']);
    expect(new URL(session.page.url()).searchParams.get('q')).toBe('new na');
    await session.page.getByRole('searchbox').fill('nothing of this');
    await session.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await session.page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForTitles(session, ['Another', 'The new name']);
    expect(await session.page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('has tabs with the number of entries of each view', async () => {
    const slug = await openCollection('views');
    await entry(author, slug, 'Draft');
    const published = await entry(editor, slug, 'Published');
    await published.publish();
    const scheduled = await entry(editor, slug, 'Scheduled');
    await scheduled.schedule('2099-12-08T23:00:00.000Z');
    await (await entry(editor, slug, 'Deleted')).remove();
    const session = await openList({}, slug);
    await tab(session, /^All ?3$/).waitFor();
    const all = await session.page.getByRole('tab').allTextContents();
    expect(all).toEqual(['All3', 'Drafts1', 'Published1', 'Changed0', 'Scheduled1', 'Mine2', 'Trash1']);
    await tab(session, /^Scheduled/).click();
    await waitForTitles(session, ['Scheduled']);
    await row(session, 'Scheduled').getByText('Goes live Dec 9, 2099, 08:00 AM (Tokyo)').waitFor();
    await tab(session, /^Trash/).click();
    await waitForTitles(session, ['Deleted']);
    expect(session.page.url()).toContain('view=trash');
    await tab(session, /^Changed/).click();
    await session.page.getByRole('heading', { name: 'No changes wait to go live' }).waitFor();
    await session.page.goBack();
    await waitForTitles(session, ['Deleted']);
  });

  it('keeps a filter of its address after a reload and Back', async () => {
    await entry(editor, 'posts', 'Red one', { color: 'red', pages: 3 }, { taxonomies: { genre: ['novel'] } });
    await entry(editor, 'posts', 'Green one', { color: 'green', pages: 30 });
    const session = await openList();
    await row(session, 'Green one').waitFor();
    await session.press('Filters');
    await session.page.getByLabel('Color').selectOption('in');
    await session.page.getByRole('checkbox', { name: 'red', exact: true }).check();
    await session.page.getByRole('checkbox', { name: 'Novel' }).check();
    await session.page.getByLabel('Pages', { exact: true }).selectOption('between');
    await session.page.getByLabel('Pages to').fill('5');
    await session.press('Show entries');
    await waitForTitles(session, ['Red one']);
    await session.page.reload();
    await waitForTitles(session, ['Red one']);
    await session.page.getByRole('group', { name: 'Active filters' }).getByText('Genres: Novel').waitFor();
    await session.press('Remove the filter Color: red');
    await session.press('Remove the filter Pages: …–5');
    await session.press('Remove the filter Genres: Novel');
    await row(session, 'Green one').waitFor();
    await session.page.goBack();
    await waitForTitles(session, ['Red one']);
    await session.press('Filters (1)');
    expect(await session.page.getByRole('checkbox', { name: 'Novel' }).isChecked()).toBe(true);
  });

  it('leaves out what it does not know of an address, and sends no more filters than the API takes', async () => {
    const f = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1]));
    const session = await openList({}, `posts?view=x&sort=body&from=never&q=none&f=${JSON.stringify(f)}`);
    await session.page.getByText('A list takes at most 20 filters and 50 values.').waitFor();
    await session.page.getByRole('button', { name: 'Clear filters' }).click();
    await table(session).waitFor();
  });

  it('is ordered by its columns, and remembers the selected ones', async () => {
    const slug = await openCollection('ordered');
    for (const title of ['b', 'c', 'a']) await entry(editor, slug, title);
    const session = await openList({}, slug);
    await waitForTitles(session, ['a', 'c', 'b']);
    const head = (name: string) => session.page.getByRole('columnheader', { name });
    expect(await head('Edited').getAttribute('aria-sort')).toBe('descending');
    await head('Title').getByRole('button').click();
    await waitForTitles(session, ['a', 'b', 'c']);
    expect(await head('Title').getAttribute('aria-sort')).toBe('ascending');
    await head('Title').getByRole('button').click();
    await waitForTitles(session, ['c', 'b', 'a']);
    expect(await head('Status').getByRole('button').count()).toBe(0);
    await session.press('Columns');
    await session.page.getByRole('checkbox', { name: 'Created' }).check();
    await session.page.getByRole('checkbox', { name: 'Author' }).uncheck();
    await session.press('Move Created up');
    await session.press('Show these columns');
    const heads = ['Title', 'Status', 'Created', 'Edited'];
    await head('Created').waitFor();
    expect(await session.page.getByRole('columnheader').allTextContents()).toEqual(heads);
    await goToList(session, slug);
    await head('Created').waitFor();
    expect(await session.page.getByRole('columnheader').allTextContents()).toEqual(heads);
  });

  it('loads further entries while it scrolls, and renders those in sight only', async () => {
    const slug = await openCollection('long');
    await seedEntries(slug, 450);
    const session = await openList({}, `${slug}?sort=title`);
    await session.page.getByText('100 of 450').waitFor();
    const frame = table(session).locator('..');
    for (const count of [200, 300, 400, 450]) {
      await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await session.page.getByText(`${count} of 450`).waitFor();
    }
    await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await row(session, 'Entry 00450').waitFor();
    expect(await table(session).getByRole('row').count()).toBeLessThan(60);
    expect(await row(session, 'Entry 00450').getAttribute('aria-rowindex')).toBe('451');
  });
});

/** Adds entries without the API, which takes one at a time. */
async function seedEntries(slug: string, count: number): Promise<void> {
  const first = await entry(editor, slug, 'Entry 00001');
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

describe('actions of a list', () => {
  it('publish several entries, and show for each that failed why', async () => {
    const slug = 'routed';
    await site.collection({ slug, routable: true, fields: [{ slug: 'title', type: 'string' }] });
    await entry(editor, slug, 'First');
    await entry(editor, slug, 'Second');
    await createEntry(editor, slug, { title: undefined, body: undefined });
    const session = await openList({}, slug);
    await row(session, 'First').waitFor();
    await session.page.getByLabel('Select all loaded entries').check();
    const bar = session.page.getByRole('region', { name: 'Selected entries' });
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = session.page.getByRole('dialog', { name: 'Publish 3 entries?' });
    await dialog.getByRole('button', { name: 'Publish' }).click();
    const results = session.page.getByRole('dialog', { name: 'Publish' });
    await results.getByText('2 done, 1 not done, 0 not begun.').waitFor();
    const failed = results.getByRole('listitem').first();
    expect(await failed.textContent()).toMatch(/^UntitledIt is not complete: slug: .*VALIDATION_ERROR/);
    await results.getByRole('button', { name: 'Close' }).click();
    await tab(session, /^Published ?2$/).waitFor();
    await bar.waitFor({ state: 'detached' });
  });

  it('move entries to the trash after a question, and back', async () => {
    const slug = await openCollection('trash');
    await entry(editor, slug, 'Wanted');
    const session = await openList({}, slug);
    await act(session, 'Wanted', 'Move to trash');
    const dialog = session.page.getByRole('dialog', { name: 'Move “Wanted” to the trash?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await act(session, 'Wanted', 'Move to trash');
    await dialog.getByRole('button', { name: 'Move to trash' }).click();
    await session.page.getByRole('heading', { name: 'No trash yet' }).waitFor();
    await tab(session, /^Trash ?1$/).waitFor();
    await session.press('Undo');
    await toast(session, '1 entry restored as draft.').waitFor();
    await waitForTitles(session, ['Wanted']);
  });

  it('delete for ever as administrators only, with the title in the question', async () => {
    const slug = await openCollection('gone');
    await (await entry(editor, slug, 'Unwanted')).remove();
    const session = await openList({}, `${slug}?view=trash`);
    await openMenu(session, 'Unwanted');
    expect(await session.page.getByRole('menuitem').allTextContents()).toEqual(['Restore']);
    await session.signIn('admin', 'ada');
    await goToList(session, `${slug}?view=trash`);
    await act(session, 'Unwanted', 'Delete for ever');
    const dialog = session.page.getByRole('dialog', { name: 'Delete “Unwanted” for ever?' });
    await dialog.getByRole('button', { name: 'Delete for ever' }).click();
    await session.page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
  });

  it('schedule an entry in the zone of the site, and cancel the schedule', async () => {
    const slug = await openCollection('planned');
    await entry(editor, slug, 'Later');
    const session = await openList({}, slug);
    await act(session, 'Later', 'Schedule…');
    await session.page.getByLabel('Time (Tokyo)').fill('2001-01-01T08:00');
    await session.page.getByText('Select a time in the future.').waitFor();
    await session.page.getByLabel('Time (Tokyo)').fill('2098-12-09T08:00');
    await session.page.getByRole('dialog').getByRole('button', { name: 'Schedule…' }).click();
    await row(session, 'Later').getByText('Goes live Dec 9, 2098, 08:00 AM (Tokyo)').waitFor();
    await act(session, 'Later', 'Cancel schedule');
    await row(session, 'Later').getByText('Draft', { exact: true }).waitFor();
    await act(session, 'Later', 'Duplicate');
    await row(session, 'Later (Copy)').waitFor();
    await act(session, 'Later', 'Publish');
    await row(session, 'Later')
      .getByText(/^Published/)
      .first()
      .waitFor();
  });

  it('are not possible with entries of others, for authors', async () => {
    const slug = await openCollection('owned');
    await entry(editor, slug, 'Of the editor');
    await entry(author, slug, 'Of the author');
    const session = await openList({ role: 'author', name: 'ann' }, slug);
    await openMenu(session, 'Of the editor');
    const items = session.page.getByRole('menuitem');
    for (const name of [/^Publish/, /^Move to trash/]) {
      const item = items.filter({ hasText: name });
      expect(await item.getAttribute('aria-disabled')).toBe('true');
      expect(await item.textContent()).toContain('It belongs to someone else.');
    }
    await session.page.keyboard.press('Escape');
    await openMenu(session, 'Of the author');
    expect(await items.filter({ hasText: 'Publish' }).getAttribute('aria-disabled')).toBeNull();
  });

  it('are not for contributors, who read the list', async () => {
    const slug = await openCollection('read');
    await entry(editor, slug, 'Readable');
    const session = await openList({ role: 'contributor', name: 'carl' }, slug);
    await openMenu(session, 'Readable');
    expect(await session.page.getByRole('menuitem').allTextContents()).toEqual([
      expect.stringContaining('No actions'),
    ]);
  });

  it('reach all entries that match, also those that are not loaded', async () => {
    const slug = await openCollection('many');
    await seedEntries(slug, 130);
    const session = await openList({}, slug);
    await session.page.getByText('100 of 130').waitFor();
    await session.page.getByLabel('Select all loaded entries').check();
    await session.press('Select all 130 that match');
    await session.page.getByText('All 130 entries selected').waitFor();
    await session.page.getByRole('region', { name: 'Selected entries' }).getByText('Move to trash').click();
    const dialog = session.page.getByRole('dialog', { name: /all 130 entries that match/ });
    await dialog.getByRole('button', { name: 'Move to trash' }).click();
    await toast(session, '130 entries moved to the trash.').waitFor();
    await tab(session, /^Trash ?130$/).waitFor();
  });
});

describe('the list without a mouse', () => {
  it('is searched, walked, selected and acted on by keys', async () => {
    const slug = await openCollection('keys');
    for (const title of ['three', 'two', 'one']) await entry(editor, slug, title);
    const session = await openList({}, slug);
    const { keyboard } = session.page;
    await waitForTitles(session, ['one', 'two', 'three']);
    const focused = () => session.page.evaluate<string>('document.activeElement.textContent');
    await keyboard.press('j');
    await keyboard.press('j');
    expect(await focused()).toContain('two');
    await keyboard.press('x');
    await keyboard.press('j');
    await keyboard.press('x');
    await session.page.getByText('2 selected').waitFor();
    await keyboard.press('Escape');
    await session.page.getByText('2 selected').waitFor({ state: 'detached' });
    await keyboard.press('k');
    await keyboard.press('Enter');
    await session.page.getByRole('menu').waitFor();
    await keyboard.press('Escape');
    await session.page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await focused()).toContain('two');
    await keyboard.press('Enter');
    await session.page.getByRole('menu').waitFor();
    await keyboard.press('Enter');
    await row(session, 'two')
      .getByText(/^Published/)
      .waitFor();
    await keyboard.press('/');
    await keyboard.type('jxk');
    await session.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(await session.page.getByRole('searchbox').inputValue()).toBe('jxk');
    await keyboard.press('Escape');
    await row(session, 'two').waitFor();
  });

  it('has no shortcuts of single letters where they are switched off', async () => {
    const session = await openList();
    await session.goTo(`${panel}/preferences`);
    await session.page.getByRole('group', { name: 'Single-letter shortcuts' }).getByLabel('Off').check();
    await goToList(session, 'posts');
    await table(session).waitFor();
    await session.page.keyboard.press('/');
    expect(await session.page.evaluate<string>('document.activeElement.tagName')).not.toBe('INPUT');
  });
});

describe('the navigation', () => {
  it('lists the collections that are not hidden, and so does the palette', async () => {
    await admin.post('/schema/collections', { slug: 'hidden', label: 'Hidden', hidden: true });
    const session = await openList();
    const navigation = session.page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'posts' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Hidden' }).count()).toBe(0);
    await session.page.keyboard.press('Control+k');
    await session.page.getByRole('dialog').waitFor();
    await session.page.keyboard.type('renam');
    await session.page.getByRole('menuitem', { name: 'renamed' }).waitFor();
    await session.page.keyboard.press('Enter');
    await session.waitForPath(`${panel}/content/renamed`);
  });
});

describe('a list that cannot be shown', () => {
  it('of a collection that the site does not have', async () => {
    const session = await openSession();
    await session.signIn('editor', 'eva');
    await session.goTo(`${panel}/content/nothing`);
    await session.heading('Collection not found').waitFor();
    await session.page.getByText('This site has no collection “nothing”').waitFor();
  });

  it('without entries says so', async () => {
    const session = await openList({}, await openCollection('empty'));
    await session.page.getByRole('heading', { name: 'No empty yet' }).waitFor();
  });

  it('after an error shows the request, and is read again', async () => {
    const session = await openSession();
    await session.signIn('editor', 'eva');
    const path = '**/panel/entries/posts?*';
    await session.page.route(path, (route) =>
      route.fulfill({
        status: 404,
        headers: { 'x-request-id': 'abc' },
        json: { success: false, error: { code: 'NOT_FOUND', message: 'no' } },
      }),
    );
    await goToList(session, 'posts');
    await session.page.getByRole('alert').getByText('Request abc').waitFor();
    await session.page.unroute(path);
    await session.press('Try again');
    await table(session).waitFor();
  });

  it('offline keeps what it has, and changes nothing', async () => {
    const session = await openList();
    await table(session).waitFor();
    await session.context.setOffline(true);
    await session.page.getByText('You are offline.').waitFor();
    await openMenu(session, 'Red one');
    const item = session.page.getByRole('menuitem', { name: /^Publish/ });
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    await session.page.keyboard.press('Escape');
    await session.context.setOffline(false);
    await session.page.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  it('during an import says that the site is read-only', async () => {
    const session = await openList();
    await site.setWriteFence(true);
    try {
      await act(session, 'Green one', 'Duplicate');
      await toast(session, /accepts no changes.*TRANSFER_IMPORT_IN_PROGRESS/).waitFor();
      await session.page.getByText('The site is read-only while an import runs.').waitFor();
    } finally {
      await site.setWriteFence(false);
    }
    // The expected response is no error of the page.
    session.consoleErrors.splice(0);
  });
});

describe.each(['light', 'dark'] as const)('lists in %s colors have no axe violations', (colorScheme) => {
  it.each([320, 1280])('and fit %i pixels', async (width) => {
    const session = await openList({ colorScheme, width });
    const { page } = session;
    const found: string[] = [];
    const examine = async (state: string) => {
      found.push(...(await violations(session)).map((violation) => `${state}: ${violation}`));
      if (await isTooWide(session)) found.push(`${state} is too wide`);
    };
    await page.getByText('Red one', { exact: true }).waitFor();
    await examine('list');
    if (width < 768) await session.press('Select');
    await page.getByLabel('Select Red one').check();
    await examine('selection');
    await openMenu(session, 'Red one');
    await examine('menu');
    await page.keyboard.press('Escape');
    await session.press('Filters');
    await page.getByRole('dialog').waitFor();
    await examine('filters');
    await page.keyboard.press('Escape');
    if (width >= 768) {
      await session.press('Columns');
      await page.getByRole('dialog').waitFor();
      await examine('columns');
      await page.keyboard.press('Escape');
    }
    await act(session, 'Red one', 'Schedule…');
    await page.getByRole('dialog').waitFor();
    await examine('schedule');
    await page.keyboard.press('Escape');
    await goToList(session, 'posts?q=nothing&author=none');
    await page.getByText('Nothing found').waitFor();
    await examine('nothing found');
    expect(found).toEqual([]);
  });
});

it('takes every text of the list from the catalogue', async () => {
  const session = await openSession();
  await session.signIn('admin', 'ada');
  const stored = JSON.stringify({ language: 'en-XA' });
  await session.context.addInitScript(`localStorage.setItem('quire-panel-preferences', '${stored}')`);
  await session.goTo(`${panel}/content/posts`);
  await session.page.getByRole('tab', { name: /^\[Áll/ }).waitFor();
  await session.page.getByText('Red one', { exact: true }).waitFor();
  const texts = await session.page
    .locator('[role=tab], thead button, [role=search] button, main p[role=status] span')
    .allTextContents();
  expect(texts.filter((text) => !/^\[.*\]/.test(text.trim()))).toEqual([]);
});
