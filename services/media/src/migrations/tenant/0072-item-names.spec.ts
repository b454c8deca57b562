import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { identifier, type Transaction } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { mediaEntities } from '../../media.module.js';
import { mediaTables } from '../index.js';
import { itemNamesMigration } from './0072-item-names.js';

const items = 5_000;
/** A schema of the extension that is in no search path. */
const extensionSchema = 'spec_item_names';
let media: ServiceTenant;

beforeAll(async () => {
  const tenant = mediaTables.tenant.filter(({ name }) => name !== itemNamesMigration.name);
  media = await openServiceTenant('spec-of-item-names', 'media', { ...mediaTables, tenant }, mediaEntities);
  await media.ctx.db.query(
    `INSERT INTO media_items (id, filename, mime_type, size, storage_key, status)
     SELECT i::text, md5(i::text) || '.png', 'image/png', 1, i::text, 'ready' FROM generate_series(1, $1) AS i`,
    [items],
  );
  await media.ctx.db.query('ANALYZE media_items');
});
afterAll(() => media.close());

const indexes = async (tx: Transaction) => {
  const rows = await tx.query<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'media_items'`,
  );
  return rows.map(({ name }) => name);
};

/** Runs work on the site in a transaction that is rolled back: other specs do not see the extension. */
async function inSiteWithoutCommit(work: (tx: Transaction) => Promise<void>): Promise<void> {
  const [site] = await media.ctx.db.query<{ schema: string }>('SELECT current_schema() AS schema');
  const isDone = new Error('done');
  const undone = media.databases.shared().transaction(async (tx) => {
    await tx.query(`SET LOCAL search_path TO ${identifier(site?.schema ?? '')}`);
    await work(tx);
    throw isDone;
  });
  await expect(undone).rejects.toBe(isDone);
}

it('itemNamesMigration creates no index without the extension', async () => {
  await inSiteWithoutCommit(async (tx) => {
    await itemNamesMigration.up(tx);
    expect(await indexes(tx)).not.toContain('media_items_ready_names');
  });
});

it('itemNamesMigration creates an index that finds a part of a name, where the extension is installed', async () => {
  await inSiteWithoutCommit(async (tx) => {
    await tx.query(`CREATE SCHEMA ${extensionSchema}`);
    await tx.query(`CREATE EXTENSION pg_trgm SCHEMA ${extensionSchema}`);
    await itemNamesMigration.up(tx);
    const plan = await tx.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM media_items WHERE status = 'ready' AND filename ILIKE $1::text`,
      ['%a1b2c3%'],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('media_items_ready_names');
  });
});
