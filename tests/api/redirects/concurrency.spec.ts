import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  openRowLock,
  openSite,
  waitUntilBlocked,
  type Client,
  type RowLock,
  type Site,
} from '@quire/testing';

let site: Site;
let admin: Client;
/** Holds a source, so that requests meet in the order that a test wants. */
let rowLock: RowLock;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  await site.collection({ slug: 'posts' });
  rowLock = await openRowLock(site);
});
afterAll(async () => {
  await rowLock.close();
  await site.close();
});

describe('an entry that goes live at an address while another is about to leave it', () => {
  it('is found there: no redirect hides it', async () => {
    const leaving = await createEntry(admin, 'posts', {}, { slug: 'a' });
    await leaving.publish();
    await leaving.put({ slug: 'b' });
    const coming = await createEntry(admin, 'posts', {}, { slug: 'a', locale: 'de' });
    await rowLock.acquire(
      `INSERT INTO redirects (id, source, source_key, destination, type, enabled)
       VALUES ('held', '/posts/a', '/posts/a', '/x', 301, true)`,
    );
    const left = leaving.publish();
    await waitUntilBlocked(site, ['redirects']);
    const came = coming.publish();
    // It waits for the other's redirect; if it did not, it would be through before that is there.
    await waitUntilBlocked(site, ['redirects', 'content_posts'], 2);
    await rowLock.rollback();
    expect([(await left).status, (await came).status]).toEqual([200, 200]);
    expect((await admin.get('/redirects')).data.items).toEqual([]);
  });
});
