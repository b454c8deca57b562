import { describe, expect, it } from '@jest/globals';
import type { BrowserSession } from '../../support.js';
import { field, journal, useEntryEditors, waitUntilSaved } from '../entry-editors.js';
import { isTooWide, panel, violations } from '../support.js';

const { openEditor, article, waitForStored } = useEntryEditors();

const unsent = ({ page }: BrowserSession) => page.getByRole('region', { name: 'Not saved, on this device' });

/** Lets no write of an article succeed. */
const cutWrites = ({ page }: BrowserSession) =>
  page.route(/\/content\/articles(?:\/[^/]+)?$/, (route) =>
    ['PUT', 'POST'].includes(route.request().method()) ? route.abort('connectionreset') : route.continue(),
  );

async function goHome(session: BrowserSession): Promise<void> {
  await session.goTo(panel);
  await session.heading(/Welcome|Home/).waitFor();
}

describe('texts that are not saved', () => {
  it('are on the first screen: also a new entry whose tab was closed, until it is saved', async () => {
    const session = await openEditor('articles/new');
    await field(session, 'Intro').pressSequentially('without a title yet');
    expect(await journal(session)).toContain('without a title yet');
    await goHome(session);
    expect(await violations(session)).toEqual([]);
    await session.page.setViewportSize({ width: 320, height: 800 });
    expect(await isTooWide(session)).toBe(false);
    await unsent(session).getByRole('link', { name: 'Untitled' }).click();
    await field(session, 'Intro').waitFor();
    expect(await field(session, 'Intro').inputValue()).toBe('without a title yet');
    await field(session, 'Title').fill('With a title');
    await waitUntilSaved(session);
    await goHome(session);
    await session.page.getByRole('link', { name: 'With a title' }).first().waitFor();
    expect(await unsent(session).count()).toBe(0);
  });

  it('are deleted on request', async () => {
    const session = await openEditor('articles/new');
    await field(session, 'Intro').pressSequentially('not wanted');
    expect(await journal(session)).toContain('not wanted');
    await goHome(session);
    await unsent(session).getByRole('button', { name: 'Delete Untitled' }).click();
    await session.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await unsent(session).waitFor({ state: 'detached' });
    expect(await journal(session)).not.toContain('not wanted');
  });

  it.each([
    ['Keep and sign out', true],
    ['Delete and sign out', false],
  ])('are asked about at the sign-out: "%s"', async (choice, isKept) => {
    const { id } = await article('Signing out');
    const session = await openEditor(`articles/${id}`);
    await cutWrites(session);
    await field(session, 'Intro').pressSequentially('kept for later');
    expect(await journal(session)).toContain('kept for later');
    await goHome(session);
    await session.press('Sign out');
    await session.page.getByRole('dialog', { name: 'Keep 1 unsaved text on this device?' }).waitFor();
    expect(await violations(session)).toEqual([]);
    await session.press(choice);
    await session.waitForPath('/_cms/admin/login');
    expect((await journal(session)).includes('kept for later')).toBe(isKept);
    session.consoleErrors.splice(0);
  });

  it('are in the fields when the user comes back to an entry that is still being closed', async () => {
    const { id } = await article('Back at once');
    const session = await openEditor(`articles/${id}`);
    await session.page.route(/\/content\/articles\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT') await new Promise((resolve) => setTimeout(resolve, 1000));
      return route.continue();
    });
    await field(session, 'Intro').pressSequentially('there and back');
    await session.page.getByRole('main').getByRole('link', { name: 'articles' }).click();
    await session.page.getByRole('tab', { name: /^All/ }).waitFor();
    await session.page.goBack();
    await field(session, 'Intro').waitFor();
    expect(await field(session, 'Intro').inputValue()).toBe('there and back');
    expect(await session.page.getByText('in another tab').count()).toBe(0);
    await waitForStored(`articles/${id}`, { intro: 'there and back' });
  });

  it('of a new entry are edited by one tab at a time once it is created', async () => {
    const session = await openEditor('articles/new');
    await field(session, 'Title').fill('Created in a tab');
    await waitUntilSaved(session);
    await session.page.waitForURL(/\/[0-9A-Z]{26}$/);
    const page = await session.context.newPage();
    await page.goto(session.page.url());
    await page.getByText('You are editing this entry in another tab.').waitFor();
    await page.getByRole('button', { name: 'Edit here' }).click();
    await session.page.getByText('You are editing this entry in another tab.').waitFor();
    expect(await field(session, 'Title').inputValue()).toBe('Created in a tab');
    await page.close();
    await session.press('Edit here');
    await field(session, 'Title').fill('Back in the first tab');
    await waitUntilSaved(session);
  });
});
