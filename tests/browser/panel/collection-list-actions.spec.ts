import { describe, expect, it } from '@jest/globals';
import { createEntry } from '@quire/testing';
import {
  act,
  entry,
  goToList,
  openMenu,
  row,
  tab,
  toast,
  useCollectionLists,
  waitForTitles,
} from './collection-lists.js';

const { site, clients, openCollection, openList, seedEntries } = useCollectionLists();

describe('actions of a list', () => {
  it('publish several entries, and show for each that failed why', async () => {
    const slug = 'routed';
    await site.collection({ slug, routable: true, fields: [{ slug: 'title', type: 'string' }] });
    await entry(clients.editor, slug, 'First');
    await entry(clients.editor, slug, 'Second');
    await createEntry(clients.editor, slug, { title: undefined, body: undefined });
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
    await entry(clients.editor, slug, 'Wanted');
    const session = await openList({}, slug);
    await act(session, 'Wanted', 'Move to trash');
    const dialog = session.page.getByRole('dialog', { name: 'Move “Wanted” to the trash?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await act(session, 'Wanted', 'Move to trash');
    await dialog.getByRole('button', { name: 'Move to trash' }).click();
    // The message goes after ten seconds, but not under the pointer.
    await toast(session, /moved to the trash/).hover();
    await session.page.getByRole('heading', { name: 'No trash yet' }).waitFor();
    await tab(session, /^Trash ?1$/).waitFor();
    await session.press('Undo');
    await toast(session, '1 entry restored as draft.').waitFor();
    await waitForTitles(session, ['Wanted']);
  });

  it('delete for ever as administrators only, with the title in the question', async () => {
    const slug = await openCollection('gone');
    await (await entry(clients.editor, slug, 'Unwanted')).remove();
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
    await entry(clients.editor, slug, 'Later');
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
    await entry(clients.editor, slug, 'Of the editor');
    await entry(clients.author, slug, 'Of the author');
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
    await entry(clients.editor, slug, 'Readable');
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
