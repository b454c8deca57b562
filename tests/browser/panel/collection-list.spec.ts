import { describe, expect, it } from '@jest/globals';
import {
  entry,
  goToList,
  row,
  tab,
  table,
  titles,
  useCollectionLists,
  waitForTitles,
} from './collection-lists.js';

const { clients, openCollection, openList, seedEntries } = useCollectionLists();

describe('the list of a collection', () => {
  it('shows the new title of a renamed draft of a published entry, which a search finds', async () => {
    const slug = await openCollection('renamed');
    const published = await entry(clients.editor, slug, 'The former name');
    await published.publish();
    await published.put({ data: { title: 'The new name' } });
    await entry(clients.editor, slug, 'Another');
    const session = await openList({}, slug);
    await row(session, 'The new name').getByText('Published. Changes not live').waitFor();
    expect(await titles(session)).toEqual(['Another', 'The new name']);
    await row(session, 'Another').getByRole('cell', { name: 'You', exact: true }).waitFor();
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
    await entry(clients.author, slug, 'Draft');
    const published = await entry(clients.editor, slug, 'Published');
    await published.publish();
    const scheduled = await entry(clients.editor, slug, 'Scheduled');
    await scheduled.schedule('2099-12-08T23:00:00.000Z');
    await (await entry(clients.editor, slug, 'Deleted')).remove();
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
    await entry(
      clients.editor,
      'posts',
      'Red one',
      { color: 'red', pages: 3 },
      { taxonomies: { genre: ['novel'] } },
    );
    await entry(clients.editor, 'posts', 'Green one', { color: 'green', pages: 30 });
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
    for (const title of ['b', 'c', 'a']) await entry(clients.editor, slug, title);
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
