import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from '@quire/observability';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { selectRecords } from '../import/records/index.js';
import { contentTables } from '../migrations/index.js';
import { deletionsRunner } from './sweep/index.js';
import { DeletionSite } from './testing/index.js';

let content: ServiceTenant;
let site: DeletionSite;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-collection-deletion', 'content', contentTables, contentEntities);
  site = new DeletionSite(content);
  await site.query(
    `INSERT INTO taxonomies (id, name, hierarchical, collections) VALUES ('t', 'tag', false, '{posts}')`,
  );
  await site.query(`INSERT INTO term_groups (id, taxonomy_id, sort_order) VALUES ('tg', 't', 0)`);
  await site.query(`INSERT INTO byline_groups (id, custom_fields) VALUES ('bg', '{}')`);
});
afterAll(() => content.close());

beforeEach(async () => {
  await site.createCollection('posts');
  await insertRows('old');
  await site.deleteCollection('posts');
  await site.createCollection('posts');
});

afterEach(async () => {
  await site.deleteCollection('posts');
  await site.finish();
});

/** Inserts entries of `posts`, more than a step takes, with rows in every table that refers to entries. */
async function insertRows(prefix: string): Promise<void> {
  await site.insertEntries('posts', prefix, 250);
  await site.insertRevisions('posts', `${prefix}103`, 1_500, { title: 'Old' });
  await site.insertComments('posts', `${prefix}105`, 1_500);
  const tenant = site.ctx.principal.tenant.id;
  const rows = {
    'import_records (site, source_type, source_id, kind, target_id, collection, import_id, updated_by, fingerprint)': `'s', 'post', id, 'entry', id, 'posts', 'i', 'i', 'f'`,
    'entry_terms (entry_group, term_group, collection)': `_translation_group, 'tg', 'posts'`,
    'entry_bylines (entry_id, byline_group, collection, sort_order)': `id, 'bg', 'posts', 0`,
    'entry_locks (entry_id, user_id, user_name, token, acquired_at, expires_at)': `id, 'u', 'U', 't', now(), now()`,
    'import_errors (entry_id, error)': `id, '{}'`,
    'cms_content.schedules (tenant_id, entry_id, collection, scheduled_at, due_at)': `'${tenant}', id, 'posts', now(), now()`,
  };
  for (const [table, values] of Object.entries(rows))
    await site.query(
      `INSERT INTO ${table} SELECT ${values} FROM content_posts WHERE starts_with(id, '${prefix}')`,
    );
}

/** @returns how many rows refer to entries of `insertRows`, by table. */
async function countRows(prefix: string): Promise<number[]> {
  const counts: number[] = [];
  for (const column of [
    'comments.content_id',
    'revisions.entry_id',
    'import_records.target_id',
    'entry_bylines.entry_id',
    'entry_locks.entry_id',
    'import_errors.entry_id',
    'schedules.entry_id',
    'entry_terms.entry_group',
  ]) {
    const [table = '', name = ''] = column.split('.');
    const from = table === 'schedules' ? 'cms_content.schedules' : table;
    const owner = name === 'entry_group' ? `g-${prefix}` : prefix;
    counts.push(await site.count(`${from} WHERE starts_with(${name}, '${owner}')`));
  }
  return counts;
}

const isEmpty = (counts: readonly number[]) => counts.every((count) => count === 0);

describe('the rows of a deleted collection', () => {
  it('are left by its deletion, and unknown to imports', async () => {
    expect(Math.min(...(await countRows('old')))).toBeGreaterThan(0);
    expect(await selectRecords(site.ctx.db, 's', [{ type: 'post', id: 'old103' }])).toEqual(new Map());
  });

  it('are deleted in steps, and no others', async () => {
    await insertRows('new');
    const rows = await countRows('new');
    let steps = 1;
    while (!(await site.takeStep())) steps += 1;
    expect(steps).toBeGreaterThan(1);
    expect(isEmpty(await countRows('old'))).toBe(true);
    expect(await site.pending()).toEqual([]);
    expect(await site.count(`pg_inherits WHERE inhparent = 'deleted_entries'::regclass`)).toBe(0);
    expect(await countRows('new')).toEqual(rows);
  });

  it('are deleted after a step that failed, which left them', async () => {
    await site.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stopped'; END $$`,
    );
    await site.query(`CREATE TRIGGER fail BEFORE DELETE ON comments FOR EACH ROW
      WHEN (old.id = 'old105-c1') EXECUTE FUNCTION fail()`);
    await expect(site.finish()).rejects.toThrow('stopped');
    expect(await site.pending()).toMatchObject([{ kind: 'collection' }]);
    expect(await site.count(`comments WHERE content_id = 'old105'`)).toBeGreaterThan(0);
    await site.query('DROP FUNCTION fail CASCADE');
    expect(await site.finish()).toBe(true);
    expect(isEmpty(await countRows('old'))).toBe(true);
  });

  it('are deleted by a runner, which drops the work of deleted sites', async () => {
    const { ctx, shared } = site;
    const work = () => shared.query<{ id: string }>('SELECT tenant_id AS id FROM deletion_work ORDER BY 1');
    await shared.query(`INSERT INTO deletion_work (tenant_id, due_at) VALUES ('gone', now())`);
    expect((await work()).map(({ id }) => id)).toContain(ctx.principal.tenant.id);
    const runner = deletionsRunner({
      databases: [shared],
      contextOf: (id) => Promise.resolve(id === ctx.principal.tenant.id ? ctx : undefined),
      logger: { warn: () => undefined } as unknown as Logger,
    });
    runner.start();
    while ((await work()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await runner.stop();
    expect(isEmpty(await countRows('old'))).toBe(true);
  });
});
