import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { updateContent } from '../../entries/index.js';
import { contentTables } from '../../migrations/index.js';
import { insertRecords, type ImportedKind } from '../records/index.js';
import { createCollections, importDeps, importerOf, post } from '../testing/import-setup.js';
import { undoImport } from './undo-import.js';

const tenantId = 'spec-of-undo-import';
const site = 'source.example';
let content: ServiceTenant;
const deps = importDeps();

beforeAll(async () => {
  content = await openServiceTenant(tenantId, 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
});
afterAll(() => content.close());
afterEach(async () => {
  for (const table of ['import_records', 'comments', 'menus', 'sections', 'content_posts', 'content_notes'])
    await content.ctx.db.query(`DELETE FROM ${table}`);
});

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  content.ctx.db.query<Row>(text, values);
const importAll = async (importId: string, entries: ReturnType<typeof post>[]) =>
  (await importerOf(content.ctx, deps)(importId, entries)).map(({ entryId }) => entryId ?? '');
const idsOf = async (table: string) =>
  (await sql<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

/** Undoes an import to its end. @returns the sums of all calls */
async function undo(importId: string, limit = 200) {
  const deleted: Record<string, number> = {};
  let calls = 0;
  for (;;) {
    calls += 1;
    const page = await undoImport(content.ctx, deps.entries, { importId, site, limit });
    for (const [kind, count] of Object.entries(page.deleted)) deleted[kind] = (deleted[kind] ?? 0) + count;
    if (page.isComplete) return { deleted, kept: page.kept, calls };
  }
}

/** Writes the record of an object that another operation would have created. */
const record = (kind: ImportedKind, targetId: string) =>
  insertRecords(content.ctx.db, { importId: 'one', site }, [
    { source: { type: kind, id: targetId }, kind, targetId },
  ]);

describe('undoImport', () => {
  it('deletes the entries that no user has changed, with all that belongs to them, in pages', async () => {
    const [edited = '', ...untouched] = await importAll('one', [
      post('edited'),
      post('a'),
      post('b', { status: 'trashed' }),
      post('c', { status: 'scheduled', scheduledAt: '2100-01-01T00:00:00.000Z' }),
      post('d', { failure: { code: 'X', message: 'broken' } }),
      post('e', { collection: 'notes' }),
    ]);
    const [other = ''] = await importAll('two', [post('other')]);
    await updateContent(content.ctx, deps.entries, {
      collection: 'posts',
      id: edited,
      data: { title: 'Edited' },
    });
    expect(await undo('one', 2)).toEqual({ deleted: { entry: 5 }, kept: { entry: 1 }, calls: 4 });
    expect((await idsOf('content_posts')).sort()).toEqual([edited, other].sort());
    expect(await idsOf('content_notes')).toEqual([]);
    expect(await sql('SELECT 1 FROM import_errors')).toEqual([]);
    expect(await sql('SELECT 1 FROM revisions WHERE entry_id = ANY($1)', [untouched])).toEqual([]);
    const shared = content.databases.shared();
    expect(await shared.query('SELECT 1 FROM schedules WHERE tenant_id = $1', [tenantId])).toEqual([]);
    expect(
      await shared.query(
        `SELECT 1 FROM outbox WHERE message ->> 'action' = 'entry.deleted' AND message ->> 'tenantId' = $1`,
        [tenantId],
      ),
    ).toHaveLength(5);
    expect(await sql('SELECT source_id AS id FROM import_records ORDER BY 1')).toEqual([
      { id: 'edited' },
      { id: 'other' },
    ]);
  });

  it('keeps entries with comments of others, and deletes those with imported comments only', async () => {
    const [visited = '', quiet = ''] = await importAll('one', [post('visited'), post('quiet')]);
    const comment = (id: string, entry: string, parent: string | null = null) =>
      sql(
        `INSERT INTO comments (id, collection, content_id, parent_id, author_name, author_email, body, status)
         VALUES ($1, 'posts', $2, $3, 'A', 'a@b.example', 'x', 'approved')`,
        [id, entry, parent],
      );
    await comment('c1', quiet);
    await comment('c2', quiet, 'c1');
    await comment('c3', visited);
    await comment('visitor', visited, 'c3');
    for (const id of ['c1', 'c2', 'c3']) await record('comment', id);
    expect(await undo('one', 1)).toMatchObject({
      deleted: { comment: 2, entry: 1 },
      kept: { comment: 1, entry: 1 },
    });
    expect(await idsOf('content_posts')).toEqual([visited]);
    expect(await idsOf('comments')).toEqual(['c3', 'visitor']);
  });

  it('deletes terms from the leaves up, except those that an entry has', async () => {
    const [taxonomy] = await sql<{ id: string }>(`SELECT id FROM taxonomies WHERE name = 'category'`);
    const term = async (id: string, parent: string | null) => {
      await sql('INSERT INTO term_groups (id, taxonomy_id, parent_id, sort_order) VALUES ($1, $2, $3, 0)', [
        `g-${id}`,
        taxonomy?.id,
        parent,
      ]);
      await sql(
        `INSERT INTO terms (id, group_id, taxonomy_id, locale, slug, label) VALUES ($1, $2, $3, 'en', $1, $1)`,
        [id, `g-${id}`, taxonomy?.id],
      );
      await record('term', id);
    };
    await term('a-root', null);
    await term('b-child', 'g-a-root');
    await term('c-used', null);
    await sql(
      `INSERT INTO entry_terms (entry_group, term_group, collection) VALUES ('x', 'g-c-used', 'posts')`,
    );
    expect(await undo('one')).toEqual({ deleted: { term: 2 }, kept: { term: 1 }, calls: 3 });
    expect(await idsOf('terms')).toEqual(['c-used']);
    expect(await idsOf('term_groups')).toEqual(['g-c-used']);
  });

  it('deletes menus, sections and bylines that no user has changed or uses', async () => {
    for (const id of ['same', 'changed']) {
      await sql(
        `INSERT INTO menus (id, name, label, locale, translation_group) VALUES ($1, $1, $1, 'en', $1)`,
        [id],
      );
      await sql(
        `INSERT INTO sections (id, slug, title, keywords, content, source) VALUES ($1, $1, $1, '{}', '[]', 'import')`,
        [id],
      );
      await sql(`INSERT INTO byline_groups (id, custom_fields) VALUES ($1, '{}')`, [`by-${id}`]);
      await sql(
        `INSERT INTO bylines (id, slug, display_name, is_guest, locale, translation_group, custom_fields)
         VALUES ($1, $1, $1, true, 'en', $2, '{}')`,
        [id, `by-${id}`],
      );
      for (const kind of ['menu', 'section', 'byline'] as const)
        await insertRecords(content.ctx.db, { importId: 'one', site }, [
          { source: { type: kind, id }, kind, targetId: id },
        ]);
    }
    await sql(`UPDATE menus SET updated_at = now() + interval '1 second' WHERE id = 'changed'`);
    await sql(`UPDATE sections SET updated_at = now() + interval '1 second' WHERE id = 'changed'`);
    await sql(
      `INSERT INTO entry_bylines (entry_id, collection, byline_group, sort_order) VALUES ('x', 'posts', 'by-changed', 0)`,
    );
    expect(await undo('one')).toMatchObject({
      deleted: { menu: 1, section: 1, byline: 1 },
      kept: { menu: 1, section: 1, byline: 1 },
    });
    for (const table of ['menus', 'sections', 'bylines']) expect(await idsOf(table)).toEqual(['changed']);
    expect(await idsOf('byline_groups')).toEqual(['by-changed']);
  });

  it('deletes the records of objects that a user has deleted', async () => {
    const [id] = await importAll('one', [post('gone')]);
    await sql('DELETE FROM content_posts WHERE id = $1', [id]);
    expect(await undo('one')).toEqual({ deleted: {}, kept: {}, calls: 1 });
    expect(await sql('SELECT 1 FROM import_records')).toEqual([]);
  });
});
