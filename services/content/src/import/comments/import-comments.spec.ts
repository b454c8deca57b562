import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { createTitledCollection, importTestEntry, site } from '../testing/import-source.js';
import { importComments } from './index.js';

let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-import-comments', 'content', contentTables, contentEntities);
  await createTitledCollection(content.ctx, 'posts');
  await createTitledCollection(content.ctx, 'pages');
});
afterAll(() => content.close());
beforeEach(async () => {
  for (const table of ['comments', 'import_records', 'content_posts', 'content_pages'])
    await content.ctx.db.query(`DELETE FROM ${table}`);
  await importTestEntry(content.ctx, '1');
  await importTestEntry(content.ctx, '2', { collection: 'pages' });
});

interface Parts {
  importId?: string;
  createdAt?: string | null;
  authorName?: string;
  authorEmail?: string;
  status?: 'approved' | 'pending';
}
/** Comments as "id", "id>root" or "id@post". */
const run = (comments: string[], parts: Parts = {}) =>
  importComments(content.ctx, {
    importId: parts.importId ?? 'i1',
    site,
    comments: comments.map((comment) => {
      const [thread = '', post = '1'] = comment.split('@');
      const [id = '', rootId = null] = thread.split('>');
      return {
        id,
        entry: { type: 'post', id: post },
        rootId,
        authorName: parts.authorName ?? 'Ann',
        authorEmail: parts.authorEmail ?? 'ann@x.example',
        body: `Body of ${id}`,
        status: parts.status ?? 'approved',
        createdAt: parts.createdAt === undefined ? '2011-02-03T04:05:06.000Z' : parts.createdAt,
      };
    }),
  });
/** The comments as "id>root" by id. */
async function threads() {
  const rows = await content.ctx.db.query<{ thread: string }>(
    `SELECT replace(c.body, 'Body of ', '') || coalesce('>' || replace(p.body, 'Body of ', ''), '') AS thread
     FROM comments c LEFT JOIN comments p ON p.id = c.parent_id ORDER BY 1`,
  );
  return rows.map(({ thread }) => thread);
}

describe('importComments (contract 2.7)', () => {
  it('creates a comment with its date, and records it', async () => {
    const result = await run(['7'], { authorEmail: ' Ann@X.Example ', status: 'pending' });
    expect(result).toEqual({ imported: 1, skipped: 0, warnings: [] });
    const at = '2011-02-03T04:05:06.000Z';
    expect(await content.ctx.db.query('SELECT * FROM comments')).toEqual([
      {
        id: expect.any(String),
        collection: 'posts',
        content_id: 'entry-1',
        parent_id: null,
        author_name: 'Ann',
        author_email: 'ann@x.example',
        author_user_id: null,
        body: 'Body of 7',
        status: 'pending',
        ip_hash: null,
        user_agent: null,
        moderation_metadata: null,
        created_at: at,
        updated_at: at,
        announced_at: at,
      },
    ]);
    expect(
      await content.ctx.db.query(
        `SELECT r.kind, r.import_id AS "importId" FROM import_records r JOIN comments c ON c.id = r.target_id
         WHERE r.source_type = 'comment' AND r.source_id = '7'`,
      ),
    ).toEqual([{ kind: 'comment', importId: 'i1' }]);
  });

  it('sends no message', async () => {
    const count = () =>
      content.databases
        .shared()
        .query(`SELECT count(*) AS count FROM outbox WHERE message ->> 'tenantId' = $1`, [content.tenant.id]);
    const before = await count();
    await run(['1', '2>1']);
    expect(await count()).toEqual(before);
  });

  it('dates a comment without a date now, and names one without a name', async () => {
    await run(['1'], { createdAt: null, authorName: ' ' });
    const [comment] = await content.ctx.db.query<{ isNew: boolean; name: string }>(
      `SELECT created_at > now() - interval '1 minute' AS "isNew", author_name AS name FROM comments`,
    );
    expect(comment).toEqual({ isNew: true, name: 'Anonymous' });
  });

  it.each([null, '2011-02-03T04:05:06.000Z', '2999-01-01T00:00:00.000Z'])(
    'counts as unedited since the import with the date %s',
    async (createdAt) => {
      await run(['1'], { createdAt });
      const edited = await content.ctx.db.query(
        'SELECT 1 FROM comments c JOIN import_records r ON r.target_id = c.id WHERE c.updated_at > r.updated_at',
      );
      expect(edited).toEqual([]);
      if (createdAt !== null)
        expect(await content.ctx.db.query('SELECT created_at AS "createdAt" FROM comments')).toEqual([
          { createdAt },
        ]);
    },
  );

  it('hangs replies on their root, in any order and over calls', async () => {
    await run(['a']);
    await run(['c>b', 'b', 'd>a', 'e>c']);
    expect(await threads()).toEqual(['a', 'b', 'c>b', 'd>a', 'e>b']);
    await run(['f>d']);
    expect(await threads()).toContain('f>a');
  });

  it('makes a comment of a missing root, or of one on another entry, a root', async () => {
    await run(['a@2']);
    await run(['b>gone', 'c>a', 'd@2', 'e>d']);
    expect(await threads()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('ends a circle of replies', async () => {
    await run(['a>b', 'b>a', 'c>c']);
    expect(await threads()).toEqual(['a>b', 'b', 'c']);
  });

  it('imports a comment once, and not again after it was deleted', async () => {
    const first = await run(['1', '2', '2']);
    expect(first).toMatchObject({ imported: 2, skipped: 1 });
    expect(await run(['1', '2', '2'])).toEqual(first);
    await content.ctx.db.query(`DELETE FROM comments WHERE body = 'Body of 1'`);
    expect(await run(['1', '2'], { importId: 'i2' })).toEqual({ imported: 0, skipped: 2, warnings: [] });
    expect(await threads()).toEqual(['2']);
  });

  it('skips a comment on an entry that is not imported, or was deleted, with a warning', async () => {
    await content.ctx.db.query('DELETE FROM content_pages');
    const result = await run(['1', '2@9', '3@2']);
    expect(result).toMatchObject({
      imported: 1,
      skipped: 2,
      warnings: [
        { id: '2', code: 'COMMENT_SKIPPED' },
        { id: '3', code: 'COMMENT_SKIPPED' },
      ],
    });
    expect(await threads()).toEqual(['1']);
  });

  it('imports comments of one id of two sites', async () => {
    await run(['1']);
    await content.ctx.db.query("UPDATE import_records SET site = 'b.example' WHERE kind = 'comment'");
    expect(await run(['1'])).toMatchObject({ imported: 1 });
    expect(await threads()).toEqual(['1', '1']);
  });

  it('creates each once in concurrent calls', async () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      index < 10 ? `${index}` : `${index}>${index % 10}`,
    );
    await Promise.all([run(many), run([...many].reverse())]);
    expect(await threads()).toHaveLength(100);
  });
});
