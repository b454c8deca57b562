import { describe, expect, it } from '@jest/globals';
import { field, stateLine, useEntryEditors, waitUntilSaved } from './entry-editors.js';
import { isTooWide, panel, violations } from './support.js';

const { openEditor, article, stored, waitForStored, clients, site } = useEntryEditors();

describe('the editor', () => {
  it('saves each type of field by itself', async () => {
    const { id } = await article('Before');
    const session = await openEditor(`articles/${id}`);
    const { page } = session;
    await field(session, 'Title').fill('After');
    await field(session, 'Intro').fill('Two\nlines');
    await field(session, 'Link').fill('https://example.org/a');
    await field(session, 'Code').fill('a-code');
    await field(session, 'Price').fill('12.50');
    await field(session, 'Pages').fill('7');
    await page.getByRole('switch', { name: 'Hot' }).check();
    await field(session, 'Event').fill('2026-12-09T08:00');
    await page.getByRole('radio', { name: 'large' }).check();
    await page.getByRole('combobox', { name: 'Color' }).selectOption('grey');
    await field(session, 'Tags').fill('one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await waitUntilSaved(session);
    await waitForStored(`articles/${id}`, {
      title: 'After',
      intro: 'Two\nlines',
      link: 'https://example.org/a',
      code: 'a-code',
      price: 12.5,
      pages: 7,
      hot: true,
      event: '2026-12-08T23:00:00.000Z',
      size: 'large',
      color: 'grey',
      tags: ['one', 'two'],
    });
    expect(await field(session, 'Price').inputValue()).toBe('12.50');
  });

  it('creates a new entry once its required fields have values, and goes on under its address', async () => {
    const session = await openEditor('articles/new');
    await field(session, 'Intro').pressSequentially('First the intro');
    await stateLine(session, 'Not saved before it is corrected: Title').waitFor();
    await field(session, 'Title').pressSequentially('Then the title');
    await waitUntilSaved(session);
    await session.page.waitForURL(/\/content\/articles\/[0-9A-Z]{26}$/);
    const id = session.path().split('/').at(-1) ?? '';
    await field(session, 'Intro').pressSequentially(', and more');
    await waitForStored(`articles/${id}`, { title: 'Then the title', intro: 'First the intro, and more' });
    expect(await session.page.title()).toContain('Then the title');
  });

  it('opens from the title in the list, whose title is the new one afterwards', async () => {
    const { id } = await article('In the list');
    const session = await openEditor('articles/new');
    await session.goTo(`${panel}/content/articles`);
    await session.page.getByRole('link', { name: 'In the list' }).click();
    await field(session, 'Title').fill('Renamed in the editor');
    await session.page.getByRole('main').getByRole('link', { name: 'articles' }).click();
    await session.page.getByRole('link', { name: 'Renamed in the editor' }).waitFor();
    await waitForStored(`articles/${id}`, { title: 'Renamed in the editor' });
  });

  it('sends no write when an entry is opened and closed', async () => {
    const { id } = await article('Untouched', { event: '2026-03-01T10:11:12.345Z', price: 1.25 });
    const session = await openEditor('articles/new');
    const writes: string[] = [];
    session.page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
    });
    await session.goTo(`${panel}/content/articles/${id}`);
    await session.page.getByRole('heading', { name: 'Untouched' }).waitFor();
    await field(session, 'Title').focus();
    await field(session, 'Event').focus();
    await field(session, 'Title').focus();
    await session.page.getByRole('main').getByRole('link', { name: 'articles' }).click();
    await session.page.getByRole('link', { name: 'Untouched' }).waitFor();
    expect(writes).toEqual([]);
    expect((await stored(`articles/${id}`))['event']).toBe('2026-03-01T10:11:12.345Z');
  });

  it('keeps a value that is not valid, names it, and saves the others', async () => {
    const { id } = await article('Valid');
    const session = await openEditor(`articles/${id}`);
    await field(session, 'Price').fill('12 apples');
    await field(session, 'Link').fill('javascript:alert(1)');
    await field(session, 'Intro').fill('is saved');
    await session.page.getByText('This is not a number.').waitFor();
    await session.page.getByText(/^This is not a link/).waitFor();
    await waitForStored(`articles/${id}`, { intro: 'is saved' });
    await stateLine(session, 'Not saved before it is corrected: Link, Price').waitFor();
    await session.page.reload();
    await field(session, 'Price').waitFor();
    expect(await field(session, 'Price').inputValue()).toBe('12 apples');
    await field(session, 'Price').fill('-1');
    await session.page.getByText('It must be at least 0.').waitFor();
    await field(session, 'Price').fill('12');
    await field(session, 'Link').fill('');
    await waitForStored(`articles/${id}`, { price: 12 });
    await waitUntilSaved(session);
  });

  it('stages changes of a published entry, whose readers see the former values', async () => {
    const created = await article('Live');
    await created.publish();
    const session = await openEditor(`articles/${created.id}`);
    await session.page.getByText(/^Published/).waitFor();
    await field(session, 'Title').fill('Not yet live');
    await waitUntilSaved(session);
    await session.page.getByText('Published. Changes not live').waitFor();
    const reader = await site.as('subscriber');
    const { data } = await reader.get(`/content/articles/${created.id}`);
    expect(data).toMatchObject({ item: { data: { title: 'Live' } } });
  });

  it('saves with Ctrl+S at once', async () => {
    const { id } = await article('Shortcut');
    const session = await openEditor(`articles/${id}`);
    await field(session, 'Intro').fill('now');
    await session.page.keyboard.press('Control+s');
    await waitUntilSaved(session);
    expect(await stored(`articles/${id}`)).toMatchObject({ intro: 'now' });
  });

  it('shows fields of other types, and never changes them', async () => {
    const body = [
      { _type: 'block', _key: 'b', children: [{ _type: 'span', _key: 's', text: 'Rich words', marks: [] }] },
    ];
    const { id } = await article('With rich text', { body });
    const before = await stored(`articles/${id}`);
    const session = await openEditor(`articles/${id}`);
    await session.page.getByText('Rich words', { exact: true }).waitFor();
    await field(session, 'Intro').fill('typed');
    await waitForStored(`articles/${id}`, { intro: 'typed' });
    expect((await stored(`articles/${id}`))['body']).toEqual(before['body']);
  });

  it('is read-only for a user who may not change the entry', async () => {
    const { id } = await article('Of the editor');
    const session = await openEditor(`articles/${id}`, { role: 'author', name: 'ann' });
    await session.page.getByText('Your role does not allow you to change this entry.').waitFor();
    expect(await field(session, 'Title').getAttribute('readonly')).not.toBeNull();
  });

  it('lets a contributor submit a new entry, which is not created before', async () => {
    await site.another('contributor', 'carl');
    const session = await openEditor('articles/new', { role: 'contributor', name: 'carl' });
    await field(session, 'Title').fill('From a contributor');
    await session.press('Submit');
    await waitUntilSaved(session);
    const { data } = await clients.admin.get('/content/articles?limit=100');
    expect(JSON.stringify(data)).toContain('From a contributor');
  });

  it('says that an entry is not there any more', async () => {
    const { id, remove } = await article('Deleted');
    await remove();
    const session = await openEditor('articles/new');
    await session.goTo(`${panel}/content/articles/${id}`);
    await session.heading('This entry is not there any more').waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violations in %s colors, and fits 320 pixels',
    async (colorScheme) => {
      const { id } = await article('Accessible', { tags: ['one', 'two'], hot: true });
      for (const width of [320, 1280]) {
        const session = await openEditor(`articles/${id}`, { width, colorScheme });
        await field(session, 'Price').fill('none');
        await session.page.getByText('This is not a number.').waitFor();
        expect(await violations(session)).toEqual([]);
        expect(await isTooWide(session)).toBe(false);
      }
    },
  );
});
