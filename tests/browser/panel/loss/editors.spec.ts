import { describe, expect, it } from '@jest/globals';
import type { BrowserSession } from '../../support.js';
import { field, goToEntry, journal, stateLine, useEntryEditors, waitUntilSaved } from '../entry-editors.js';
import { panel } from '../support.js';

const { openEditor, article, note, stored, waitForStored, clients, site } = useEntryEditors();

/** The part of the page about a conflict of a field. */
const conflict = ({ page }: BrowserSession, label: string) =>
  page.getByRole('region', { name: `Conflict in ${label}` });

/** Waits until a new entry is created in the place of another one. @returns its id */
async function createdAfter(session: BrowserSession, former: string): Promise<string> {
  const idOf = ({ pathname }: URL) => pathname.split('/').at(-1) ?? '';
  await session.page.waitForURL((url) => ![former, 'new'].includes(idOf(url)));
  return idOf(new URL(session.page.url()));
}

describe('two users', () => {
  it('in different fields are merged, and the second one is told whose change it was', async () => {
    const { id } = await note('Both');
    const session = await openEditor(`notes/${id}`);
    await clients.author.get('/auth/me');
    await clients.admin.put(`/content/notes/${id}`, { data: { title: 'Of the other one' } });
    await field(session, 'Intro').pressSequentially('mine');
    await session.page.getByText(/ has changed Title\. The changes are merged with yours\./).waitFor();
    expect(await field(session, 'Title').inputValue()).toBe('Of the other one');
    await waitForStored(`notes/${id}`, { title: 'Of the other one', intro: 'mine' });
  });

  it.each([
    ['Keep mine', 'mine words'],
    ['Take theirs', 'their words'],
    ['Keep both', 'mine words\n\ntheir words'],
  ])('in one field: nothing is lost until "%s"', async (choice, expected) => {
    const { id } = await note('Conflict', 'base');
    const session = await openEditor(`notes/${id}`);
    await clients.admin.put(`/content/notes/${id}`, { data: { intro: 'their words' } });
    await field(session, 'Intro').fill('mine words');
    await conflict(session, 'Intro').locator('mark').filter({ hasText: 'their' }).waitFor();
    await stateLine(session, 'Conflict in Intro').waitFor();
    expect(await field(session, 'Intro').inputValue()).toBe('mine words');
    expect(await stored(`notes/${id}`)).toMatchObject({ intro: 'their words' });
    expect(await journal(session)).toContain('mine words');
    await field(session, 'Title').fill(`Goes on: ${choice}`);
    await waitForStored(`notes/${id}`, { title: `Goes on: ${choice}` });
    await conflict(session, 'Intro').getByRole('button', { name: choice }).click();
    await waitForStored(`notes/${id}`, { intro: expected });
    await conflict(session, 'Intro').waitFor({ state: 'detached' });
  });

  it('of a locked entry: the second one reads, sees the changes, and takes over', async () => {
    const { id } = await article('Locked');
    const eva = await openEditor(`articles/${id}`);
    await field(eva, 'Intro').pressSequentially('by eva');
    await waitUntilSaved(eva);
    const ada = await openEditor(`articles/${id}`, { role: 'admin', name: 'ada' });
    await ada.page.getByText(/has been editing this entry since/).waitFor();
    await field(ada, 'Title').fill('By ada');
    await stateLine(ada, /^Someone else is editing/).waitFor();
    expect(await journal(ada)).toContain('By ada');
    await ada.press('Take back');
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
    await waitForStored(`articles/${id}`, { title: 'By ada', intro: 'by eva' });
    await field(eva, 'Intro').pressSequentially(', too late');
    await stateLine(eva, /^Someone else is editing/).waitFor();
    expect(await journal(eva)).toContain('by eva, too late');
    await eva.press('Keep as a new draft');
    const copy = await createdAfter(eva, id);
    await waitForStored(`articles/${copy}`, { title: 'Locked', intro: 'by eva, too late' });
  });
});

describe('two tabs of a user', () => {
  it('edit an entry in turn: the second one reads until it takes it over', async () => {
    const { id } = await article('Tabs');
    const session = await openEditor(`articles/${id}`);
    const page = await session.context.newPage();
    await page.goto(`${panel}/content/articles/${id}`);
    await page.getByText('You are editing this entry in another tab.').waitFor();
    await field(session, 'Intro').pressSequentially('unsaved in the first');
    await page.getByRole('button', { name: 'Edit here' }).click();
    await session.page.getByText('You are editing this entry in another tab.').waitFor();
    await field({ page }, 'Intro').press('Control+End');
    await page.keyboard.type(', and in the second');
    await waitForStored(`articles/${id}`, { intro: 'unsaved in the first, and in the second' });
    await page.close();
  });
});

describe('an ended session', () => {
  it('while typing: the text waits, and is saved after the sign-in', async () => {
    const { id } = await article('Signed out');
    const session = await openEditor(`articles/${id}`);
    await field(session, 'Intro').focus();
    await session.context.clearCookies({ name: 'cms_session' });
    await session.page.keyboard.type('without a session');
    await session.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await journal(session)).toContain('without a session');
    await session.signIn('editor', 'eva');
    await session.page.evaluate("window.dispatchEvent(new Event('focus'))");
    await waitForStored(`articles/${id}`, { intro: 'without a session' });
    await waitUntilSaved(session);
  });

  it('and another user: the text stays that of the first one', async () => {
    const { id } = await article('Of eva');
    const session = await openEditor(`articles/${id}`);
    await session.context.clearCookies({ name: 'cms_session' });
    await field(session, 'Intro').pressSequentially('secret of eva');
    await session.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await session.signIn('admin', 'ada');
    await session.page.evaluate("window.dispatchEvent(new Event('focus'))");
    await session.heading(/Welcome|Home/).waitFor();
    await goToEntry(session, `articles/${id}`);
    expect(await field(session, 'Intro').inputValue()).toBe('');
    expect(await stored(`articles/${id}`)).not.toHaveProperty('intro');
    await session.signIn('editor', 'eva');
    await goToEntry(session, `articles/${id}`);
    expect(await field(session, 'Intro').inputValue()).toBe('secret of eva');
    await waitForStored(`articles/${id}`, { intro: 'secret of eva' });
  });

  it('of a disabled account: the text is kept', async () => {
    const ben = await site.another('editor', 'ben');
    const { data: me } = await ben.get('/auth/me');
    const { id } = await article('Of a disabled user');
    const session = await openEditor(`articles/${id}`, { name: 'ben' });
    await clients.admin.post(`/admin/users/${(me as { id: string }).id}/disable`);
    await field(session, 'Intro').pressSequentially('still here');
    await session.page
      .getByText(/Your account is disabled|Your session has ended/)
      .first()
      .waitFor();
    expect(await journal(session)).toContain('still here');
  });
});

describe('an entry that changes under the form', () => {
  it('is deleted: its text becomes a new draft', async () => {
    const created = await article('Trashed');
    const session = await openEditor(`articles/${created.id}`);
    await created.remove();
    await field(session, 'Intro').pressSequentially('survives');
    await session.page.getByText(/^Someone has deleted this entry/).waitFor();
    expect(await journal(session)).toContain('survives');
    await session.press('Keep as a new draft');
    const copy = await createdAfter(session, created.id);
    await waitForStored(`articles/${copy}`, { intro: 'survives' });
  });

  it('is changed on another device between two visits: both changes are there', async () => {
    const { id } = await note('Devices');
    const session = await openEditor(`notes/${id}`);
    await session.page.route(/\/content\/notes\/[^/]+$/, (route) =>
      route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
    );
    await field(session, 'Intro').pressSequentially('on the train');
    expect(await journal(session)).toContain('on the train');
    await clients.admin.put(`/content/notes/${id}`, { data: { title: 'At the desk' } });
    await session.page.unroute(/\/content\/notes\/[^/]+$/);
    await session.page.reload();
    await session.page.getByText(/are here again, merged with newer ones/).waitFor();
    await waitForStored(`notes/${id}`, { title: 'At the desk', intro: 'on the train' });
    session.consoleErrors.splice(0);
  });

  it('loses a field of its collection: the others are saved, and its text can be copied', async () => {
    await site.collection({
      slug: 'leaflets',
      fields: [
        { slug: 'title', type: 'string', label: 'Title', required: true },
        { slug: 'extra', type: 'string', label: 'Extra' },
      ],
    });
    const { data } = await clients.editor.post('/content/leaflets', { data: { title: 'Leaflet' } });
    const { id } = (data as { item: { id: string } }).item;
    const session = await openEditor(`leaflets/${id}`);
    await clients.admin.delete('/schema/collections/leaflets/fields/extra');
    await field(session, 'Extra').pressSequentially('homeless words');
    await field(session, 'Title').fill('Leaflet, changed');
    await session.page.getByText('The collection no longer has this field.').waitFor();
    await waitForStored(`leaflets/${id}`, { title: 'Leaflet, changed' });
    expect(await journal(session)).toContain('homeless words');
    await session.page.getByText(/^The fields of the collection have changed/).waitFor();
    await session.press('Reload the form');
    await session.page
      .getByText('The collection no longer has the fields of these texts.', { exact: false })
      .waitFor();
    await session.page.getByText('homeless words').waitFor();
  });

  it('has an emptied required field: it is kept back, and the others are saved', async () => {
    const { id } = await article('Emptied');
    const session = await openEditor(`articles/${id}`);
    await field(session, 'Title').fill('');
    await field(session, 'Intro').fill('saved nevertheless');
    await waitForStored(`articles/${id}`, { title: 'Emptied', intro: 'saved nevertheless' });
    await stateLine(session, 'Not saved before it is corrected: Title').waitFor();
  });
});
