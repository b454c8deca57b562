import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { openServiceTenant } from '@quire/testing';
import { createContentTable, selectContentVersion, selectCountedTables } from '../../schema/index.js';
import { contentTables } from '../index.js';
import { entryCountsMigration } from './0069-entry-counts.js';
import { contentChangesMigration } from './0070-content-changes.js';

type Sql = Parameters<typeof contentChangesMigration.up>[0];

/** A site of the former version with two collections, and a table of no collection. */
const before = {
  name: '0068-before',
  up: async (sql: Sql) => {
    for (const slug of ['posts', 'pages']) {
      await sql.query(
        `INSERT INTO collections (id, slug, label, supports, routable, has_seo, hidden)
         VALUES ($1, $1, $1, '{}', true, false, false)`,
        [slug],
      );
      await createContentTable(sql, `content_${slug}`);
    }
    await sql.query('CREATE TABLE content_orphan (id text)');
  },
};

it('contentChangesMigration counts the changes of the collections that exist', async () => {
  const former = contentTables.tenant.filter(({ name }) => name < entryCountsMigration.name);
  const tables = {
    shared: contentTables.shared,
    tenant: [...former, before, entryCountsMigration, contentChangesMigration],
  };
  const { ctx, close } = await openServiceTenant('spec-of-change-counters', 'content', tables, []);
  try {
    const named = ['content_posts', 'content_orphan', 'content_pages'];
    expect((await selectCountedTables(ctx.db, named)).sort()).toEqual(['content_pages', 'content_posts']);
    const versions = async () => [
      await selectContentVersion(ctx.db, ['content_posts']),
      await selectContentVersion(ctx.db, ['content_pages']),
    ];
    const [posts, pages] = await versions();
    expect([posts, pages]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
    await ctx.db.query('DELETE FROM content_posts');
    const after = await versions();
    expect(after).toEqual([expect.not.stringMatching(`^${posts}$`), pages]);
    expect(await selectContentVersion(ctx.db, ['content_orphan'])).toBeNull();
  } finally {
    await close();
  }
});
