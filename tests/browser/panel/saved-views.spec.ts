import { describe, expect, it } from '@jest/globals';
import type { BrowserSession } from '../support.js';
import { entry, goToList, tab, useCollectionLists, waitForTitles } from './collection-lists.js';
import { isTooWide, violations } from './support.js';

const { openCollection, openList, clients } = useCollectionLists();

const dialog = ({ page }: BrowserSession) => page.getByRole('dialog', { name: 'Saved views' });
const view = (session: BrowserSession, name: string) =>
  dialog(session)
    .getByRole('listitem')
    .getByRole('button', { name: new RegExp(`^(?:Shared )?${name}$`) });

/** Saves the list as it is. */
async function save(session: BrowserSession, name: string, isShared = false): Promise<void> {
  await session.press('Saved views');
  await dialog(session).getByLabel('Name of this view').fill(name);
  if (isShared) await dialog(session).getByLabel('Share it with all users of the panel').check();
  await dialog(session).getByRole('button', { name: 'Save this view' }).click();
  await view(session, name).waitFor();
}

describe('a saved view', () => {
  it('brings back the tab, the search, the order and the columns of a list', async () => {
    const slug = await openCollection('viewed');
    for (const title of ['Alpha one', 'Beta one', 'Gamma two']) await entry(clients.editor, slug, title);
    const session = await openList({}, `${slug}?view=draft&q=one&sort=-title&cols=_status,_created`);
    await waitForTitles(session, ['Beta one', 'Alpha one']);
    await save(session, 'Ones');
    await goToList(session, slug);
    await waitForTitles(session, ['Gamma two', 'Beta one', 'Alpha one']);
    await session.press('Saved views');
    await view(session, 'Ones').click();
    await waitForTitles(session, ['Beta one', 'Alpha one']);
    await tab(session, /^Drafts/)
      .and(session.page.locator('[aria-selected="true"]'))
      .waitFor();
    expect(await session.page.getByRole('columnheader', { name: 'Created' }).count()).toBe(1);
    await session.press('Saved views');
    await dialog(session).getByRole('button', { name: 'Delete the view Ones' }).click();
    await dialog(session)
      .getByText(/^No views are saved yet/)
      .waitFor();
  });

  it('is shared by editors, and others neither share nor delete it', async () => {
    const slug = await openCollection('shared');
    await entry(clients.author, slug, 'Draft');
    const editor = await openList({}, `${slug}?view=published`);
    await save(editor, 'For all', true);
    const author = await openList({ role: 'author', name: 'ann' }, slug);
    await author.press('Saved views');
    await view(author, 'For all').waitFor();
    expect(
      await dialog(author)
        .getByRole('button', { name: /^Delete/ })
        .count(),
    ).toBe(0);
    expect(await dialog(author).getByLabel('Share it with all users of the panel').count()).toBe(0);
    await view(author, 'For all').click();
    await author.page.waitForURL(/view=published/);
  });

  it('has a dialog without axe violations that fits 320 pixels', async () => {
    const slug = await openCollection('accessible_views');
    const session = await openList({ width: 320 }, slug);
    await save(session, 'A view');
    expect(await violations(session)).toEqual([]);
    expect(await isTooWide(session)).toBe(false);
  });
});
