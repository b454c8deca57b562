import { describe, expect, it } from '@jest/globals';
import { createEntry } from '@quire/testing';
import type { BrowserSession } from '../support.js';
import { field, stateLine, useEntryEditors, waitUntilSaved } from './entry-editors.js';
import { panel, violations } from './support.js';

const { openEditor, article, note, clients, site, stored, waitForStored } = useEntryEditors();

const slugInput = (session: BrowserSession) => field(session, 'Address \\(slug\\)');
const message = ({ page }: BrowserSession, text: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text);
const idOf = (session: BrowserSession) => session.path().split('/').at(-1) ?? '';

/** Selects an action in the menu of the entry. */
async function select(session: BrowserSession, action: string): Promise<void> {
  await session.press('More');
  await session.page.getByRole('menuitem', { name: action }).click();
}

const confirm = ({ page }: BrowserSession, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action }).click();

/** What visitors read of an entry. */
async function live(path: string) {
  const reader = await site.as('subscriber');
  const { status, data } = await reader.get(`/content/${path}`);
  return status === 200 ? (data as { item: { slug: string; data: { title: string } } }).item : undefined;
}

describe('the editor', () => {
  it('publishes what was typed a moment before', async () => {
    const session = await openEditor('articles/new');
    await field(session, 'Title').pressSequentially('Breaking news', { delay: 20 });
    await waitUntilSaved(session);
    await session.page.waitForURL(/\/[0-9A-Z]{26}$/);
    await field(session, 'Title').press('End');
    await session.page.keyboard.type(', just now');
    await session.press('Publish');
    await message(session, 'Published.').waitFor();
    await session.page.getByText(/^Published \w/).waitFor();
    expect(await live(`articles/${idOf(session)}`)).toMatchObject({
      slug: 'breaking-news-just-now',
      data: { title: 'Breaking news, just now' },
    });
    expect(await session.page.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
    await field(session, 'Title').press('End');
    await session.page.keyboard.type(' again');
    await session.press('Publish changes');
    await message(session, 'Published.').nth(1).waitFor();
    expect(await live(`articles/${idOf(session)}`)).toMatchObject({ slug: 'breaking-news-just-now' });
  });

  it('schedules an entry for eight o’clock on the clocks of the site, and cancels that', async () => {
    const { id } = await article('Tomorrow');
    const session = await openEditor(`articles/${id}`);
    await select(session, 'Schedule…');
    await session.page.getByLabel('Time (Tokyo)').fill('2099-12-09T08:00');
    await confirm(session, 'Schedule…');
    await session.page.getByText('Goes live Dec 9, 2099, 08:00 AM (Tokyo)').waitFor();
    const { data } = await clients.admin.get(`/content/articles/${id}`);
    expect(data).toMatchObject({ item: { scheduledAt: '2099-12-08T23:00:00.000Z' } });
    await session.page.getByRole('button', { name: 'Change time…' }).waitFor();
    await select(session, 'Cancel schedule');
    await session.page.getByText('Draft', { exact: true }).waitFor();
  });

  it('takes an entry off the site, discards changes, makes a copy, and moves that to the trash', async () => {
    const created = await article('On the site');
    await created.publish();
    const session = await openEditor(`articles/${created.id}`);
    await field(session, 'Title').fill('A bad idea');
    await waitUntilSaved(session);
    await select(session, 'Discard changes');
    await confirm(session, 'Discard changes');
    await message(session, 'The changes are discarded.').waitFor();
    expect(await field(session, 'Title').inputValue()).toBe('On the site');
    await select(session, 'Unpublish');
    await confirm(session, 'Unpublish');
    await session.page.getByText(/^Unpublished, was live/).waitFor();
    expect(await live(`articles/${created.id}`)).toBeUndefined();
    await select(session, 'Duplicate');
    await session.heading('On the site (Copy)').waitFor();
    const copy = idOf(session);
    expect(copy).not.toBe(created.id);
    await select(session, 'Move to trash');
    await confirm(session, 'Move to trash');
    await session.waitForPath(`${panel}/content/articles`);
    expect((await clients.admin.get(`/content/articles/${copy}`)).status).toBe(404);
  });

  it('does not publish while a field is to be corrected or in conflict', async () => {
    const { id } = await note('Not ready', 'base');
    const session = await openEditor(`notes/${id}`);
    await field(session, 'Title').fill('');
    await session.press('Publish');
    await message(session, 'First correct Title.').waitFor();
    await field(session, 'Title').fill('Ready');
    await clients.admin.put(`/content/notes/${id}`, { data: { intro: 'theirs' } });
    await field(session, 'Intro').fill('mine');
    await stateLine(session, 'Conflict in Intro').waitFor();
    expect(await session.page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    expect(await live(`notes/${id}`)).toBeUndefined();
    await session.press('Take theirs');
    await session.press('Publish');
    await message(session, 'Published.').waitFor();
    expect(await stored(`notes/${id}`)).toMatchObject({ intro: 'theirs', title: 'Ready' });
  });

  it('makes changes live by Save only where a collection keeps no drafts', async () => {
    await site.collection({
      slug: 'plain',
      supports: [],
      fields: [{ slug: 'title', type: 'string', label: 'Title', required: true }],
    });
    const created = await createEntry(clients.editor, 'plain', { title: 'Plain', body: undefined });
    await created.publish();
    const session = await openEditor(`plain/${created.id}`);
    await field(session, 'Title').fill('Not yet for visitors');
    // Longer than an autosave waits.
    await session.page.waitForTimeout(2500);
    await stateLine(session, '1 change not saved yet').waitFor();
    expect(await live(`plain/${created.id}`)).toMatchObject({ data: { title: 'Plain' } });
    await session.press('Save and make live');
    await waitUntilSaved(session);
    expect(await live(`plain/${created.id}`)).toMatchObject({ data: { title: 'Not yet for visitors' } });
  });

  it('says why the server refuses to publish', async () => {
    await site.collection({ slug: 'strict', fields: [{ slug: 'title', type: 'string', label: 'Title' }] });
    const { id } = await createEntry(clients.editor, 'strict', { title: undefined, body: undefined });
    const session = await openEditor(`strict/${id}`);
    await session.press('Publish');
    await message(session, /^It is not complete: .*\(VALIDATION_ERROR\)/).waitFor();
  });

  it('has no publication for contributors, who learn who does it', async () => {
    await site.another('contributor', 'cleo');
    const session = await openEditor('articles/new', { role: 'contributor', name: 'cleo' });
    await field(session, 'Title').fill('Please publish');
    await session.press('Submit');
    await session.page.getByText('An editor publishes this.').waitFor();
    expect(await session.page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
  });

  it('has a menu and dialogs without axe violations', async () => {
    const { id } = await article('Accessible actions');
    const session = await openEditor(`articles/${id}`);
    await session.press('More');
    await session.page.getByRole('menu').waitFor();
    expect(await violations(session)).toEqual([]);
    await session.page.getByRole('menuitem', { name: 'Schedule…' }).click();
    await session.page.getByRole('dialog').waitFor();
    expect(await violations(session)).toEqual([]);
  });
});

describe('the slug', () => {
  it('follows the title of a draft until it is changed', async () => {
    const session = await openEditor('articles/new');
    await field(session, 'Title').fill('First thoughts');
    expect(await slugInput(session).inputValue()).toBe('first-thoughts');
    await waitUntilSaved(session);
    await field(session, 'Title').fill('Second thoughts');
    expect(await slugInput(session).inputValue()).toBe('second-thoughts');
    await slugInput(session).fill('my-own');
    await field(session, 'Title').fill('Third thoughts');
    await waitUntilSaved(session);
    await session.page.waitForURL(/\/[0-9A-Z]{26}$/);
    await waitForStored(`articles/${idOf(session)}`, { title: 'Third thoughts' });
    await session.page.reload();
    await slugInput(session).waitFor();
    expect(await slugInput(session).inputValue()).toBe('my-own');
    await session.press('Publish');
    await message(session, 'Published.').waitFor();
    expect(await live(`articles/${idOf(session)}`)).toMatchObject({ slug: 'my-own' });
  });

  it('gets a number where another entry has it', async () => {
    const other = await article('Taken');
    expect(other.item.slug).toBe('taken');
    const session = await openEditor('articles/new');
    await field(session, 'Title').fill('Taken');
    await waitUntilSaved(session);
    expect(await slugInput(session).inputValue()).toBe('taken-1');
  });

  it('of a published entry says where its links will lead, and refuses one that cannot be', async () => {
    const created = await article('Moves');
    await created.publish();
    const session = await openEditor(`articles/${created.id}`);
    await slugInput(session).fill('a/b');
    await session.page.getByText(/^It may not contain/).waitFor();
    await slugInput(session).fill('moved');
    await session.page.getByText('Links to moves will lead to /articles/moved.').waitFor();
    await waitUntilSaved(session);
    expect(await live(`articles/${created.id}`)).toMatchObject({ slug: 'moves' });
    await session.press('Publish changes');
    await message(session, 'Published.').waitFor();
    expect(await live(`articles/${created.id}`)).toMatchObject({ slug: 'moved' });
  });
});
