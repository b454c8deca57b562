import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  act,
  entry,
  goToList,
  openMenu,
  row,
  table,
  toast,
  useCollectionLists,
  waitForTitles,
} from './collection-lists.js';
import { isTooWide, panel, violations } from './support.js';

const { site, clients, openSession, openCollection, openList } = useCollectionLists();

beforeAll(async () => {
  await entry(clients.editor, 'posts', 'Red one', { color: 'red' });
  await entry(clients.editor, 'posts', 'Green one', { color: 'green' });
  await openCollection('renamed');
});

describe('the list without a mouse', () => {
  it('is searched, walked, selected and acted on by keys', async () => {
    const slug = await openCollection('keys');
    for (const title of ['three', 'two', 'one']) await entry(clients.editor, slug, title);
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
    await keyboard.press('m');
    await session.page.getByRole('menu').waitFor();
    await keyboard.press('Escape');
    await session.page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await focused()).toContain('two');
    await keyboard.press('m');
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
    await clients.admin.post('/schema/collections', { slug: 'hidden', label: 'Hidden', hidden: true });
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
