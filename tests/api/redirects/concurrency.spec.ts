import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, useRowLock, useSite, waitUntilBlocked, type Client } from '@quire/testing';

const site = useSite();
const rowLock = useRowLock(site);
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'posts' });
});

describe('POST publish of an entry at the address that a concurrent publication leaves', () => {
  it('creates no redirect from that address', async () => {
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
    // The second publication waits for the redirect of the first; otherwise it would commit before it exists.
    await waitUntilBlocked(site, ['redirects', 'content_posts'], 2);
    await rowLock.rollback();
    expect([(await left).status, (await came).status]).toEqual([200, 200]);
    expect((await admin.get('/redirects')).data.items).toEqual([]);
  });
});
