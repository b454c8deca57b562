import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identifier } from '@quire/database';
import { makeEntry, openSite, untilBlocked, type Client, type Site } from '@quire/testing';
import { tenantSchema } from '@quire/tenancy';
import pg from 'pg';

let site: Site;
let admin: Client;
/** Holds a source, so that requests meet in the order that a test wants. */
let holder: pg.Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  await site.collection({ slug: 'posts' });
  holder = new pg.Client({
    connectionString: site.system.databaseUrl,
    options: `-c search_path=${identifier(tenantSchema({ id: site.tenant }))}`,
  });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await site.close();
});

describe('an entry that goes live at an address while another is about to leave it', () => {
  it('is found there: no redirect is left that hides it', async () => {
    const leaving = await makeEntry(admin, 'posts', {}, { slug: 'a' });
    await leaving.publish();
    await leaving.put({ slug: 'b' });
    const coming = await makeEntry(admin, 'posts', {}, { slug: 'a', locale: 'de' });
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO redirects (id, source, source_key, destination, type, enabled)
       VALUES ('held', '/posts/a', '/posts/a', '/x', 301, true)`,
    );
    const left = leaving.publish();
    await untilBlocked(site, ['redirects']);
    const came = coming.publish();
    // It waits for the other's redirect; if it did not, it would be through before that is there.
    await untilBlocked(site, ['redirects', 'content_posts'], 2);
    await holder.query('ROLLBACK');
    expect([(await left).status, (await came).status]).toEqual([200, 200]);
    expect((await admin.get('/redirects')).data.items).toEqual([]);
  });
});
