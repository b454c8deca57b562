import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, type Client } from '@quire/testing';
import { useBrowserSessions, type BrowserSession } from '../support.js';
import { waitForTitles } from './collection-lists.js';
import { isTooWide, panel, violations } from './support.js';

const { site, openSession } = useBrowserSessions();
let editor: Client;
let late: string;

/** Opens the first screen as a user. */
async function openHome(
  role: 'editor' | 'author',
  { width = 1280, ...options }: { width?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<BrowserSession> {
  const session = await openSession({ viewport: { width, height: 800 }, ...options });
  await session.signIn(role, role);
  await session.goTo(panel);
  await session.heading(/Welcome|Home/).waitFor();
  return session;
}
const list = ({ page }: BrowserSession, name: string) => page.getByRole('region', { name });
const titles = (session: BrowserSession, name: string) =>
  list(session, name).getByRole('listitem').locator('> a').allTextContents();

describe('the first screen', () => {
  it('says what comes next on a site without collections, and without entries', async () => {
    const session = await openHome('editor');
    await session.page.getByText('This site has no collections.').waitFor();
    await site.collection();
    await session.goTo(panel);
    await session.page.getByText('Entries that you and others edit are listed here.').waitFor();
    await session.page.getByRole('main').getByRole('link', { name: 'posts' }).click();
    await session.waitForPath(`${panel}/content/posts`);
  });

  describe('of a site with entries', () => {
    beforeAll(async () => {
      editor = await site.as('editor');
      const renamed = await createEntry(editor, 'posts', { title: 'Old name' });
      await renamed.publish();
      await renamed.put({ data: { title: 'New name' } });
      await (await createEntry(await site.as('author'), 'posts', { title: 'By the author' })).get();
      const soon = await createEntry(editor, 'posts', { title: 'Soon' });
      await soon.schedule(new Date(Date.now() + 86_400_000).toISOString());
      const overdue = await createEntry(editor, 'posts', { title: 'Too late' });
      await overdue.schedule();
      late = overdue.id;
      // As of a worker that has not run for two minutes; the schedule itself stays in the far future.
      await site.sql("UPDATE content_posts SET scheduled_at = now() - interval '2 minutes' WHERE id = $1", [
        late,
      ]);
    });

    it('lists what the user edited last under the titles of drafts, the next publications and the overdue ones', async () => {
      const session = await openHome('editor');
      await list(session, 'Continue').waitFor();
      expect(await titles(session, 'Continue')).toEqual(['Too late', 'Soon', 'New name']);
      expect(await titles(session, 'Should have gone live')).toEqual(['Too late']);
      expect(await titles(session, 'Goes live in the next 14 days')).toEqual(['Soon']);
      expect(await titles(session, 'Edited last')).toEqual(['Too late', 'Soon', 'By the author', 'New name']);
      const renamed = list(session, 'Continue').getByRole('listitem').filter({ hasText: 'New name' });
      await renamed.getByText(/Published.*not live/).waitFor();
    });

    it('leads to the list of overdue entries', async () => {
      const session = await openHome('editor');
      await list(session, 'Should have gone live').getByRole('link', { name: 'posts' }).click();
      await session.page.getByRole('tab', { name: /^Overdue/, selected: true }).waitFor();
      await waitForTitles(session, ['Too late']);
    });

    it('does not list an entry any more that was moved to the trash in its list', async () => {
      const deleted = await createEntry(editor, 'posts', { title: 'Not needed' });
      const session = await openHome('editor');
      const { page } = session;
      await list(session, 'Continue').getByText('Not needed').waitFor();
      await list(session, 'Continue').getByRole('link', { name: 'posts' }).first().click();
      await page.getByRole('button', { name: 'Actions for Not needed' }).click();
      await page.getByRole('menuitem', { name: 'Move to trash' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click();
      await page.getByText('moved to the trash').waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
      await list(session, 'Continue').getByText('Not needed').waitFor({ state: 'detached' });
      expect((await editor.get(`/content/posts/${deleted.id}`)).status).toBe(404);
    });

    it('lists only own entries to continue with', async () => {
      const session = await openHome('author');
      await list(session, 'Continue').waitFor();
      expect(await titles(session, 'Continue')).toEqual(['By the author']);
    });

    it.each(['light', 'dark'] as const)(
      'has no axe violations in %s colors, and fits 320 pixels',
      async (colorScheme) => {
        for (const width of [320, 1280]) {
          const session = await openHome('editor', { width, colorScheme });
          await list(session, 'Continue').waitFor();
          expect(await violations(session)).toEqual([]);
          expect(await isTooWide(session)).toBe(false);
        }
      },
    );
  });
});
