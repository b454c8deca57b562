import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { migrateShared, migrateTenant, removeTenant, ServiceDatabases } from '@quire/tenancy';
import { testStores } from '@quire/testing';
import { contentTables } from '../index.js';

const tenant = { id: `renames-${process.pid}`, database: null };
let databases: ServiceDatabases;
let shared: TransactionalDatabase;

beforeAll(async () => {
  databases = await ServiceDatabases.open({
    service: 'content',
    url: testStores().databaseUrl,
    extraUrls: new Map(),
    poolSize: 2,
    applicationName: '0056-change-subscriptions.spec',
  });
  shared = databases.shared();
  await migrateShared(databases, contentTables);
});
afterAll(async () => {
  await removeTenant(databases, contentTables, tenant);
  await databases.close();
});

const before = (name: string) => ({
  ...contentTables,
  tenant: contentTables.tenant.slice(
    0,
    contentTables.tenant.findIndex((migration) => migration.name === name),
  ),
});
const messages = async () => {
  const rows = await shared.query<{ job: string; entryId: string }>(
    `SELECT job, message ->> 'entryId' AS "entryId" FROM outbox WHERE message ->> 'tenantId' = $1 ORDER BY id`,
    [tenant.id],
  );
  await shared.query(`DELETE FROM outbox WHERE message ->> 'tenantId' = $1`, [tenant.id]);
  return rows;
};

it('a site with triggers of a former version sends messages under the present names of jobs', async () => {
  const sql = databases.tenant(tenant);
  await migrateTenant(databases, before('0056-change-subscriptions'), tenant);
  await sql.query('CREATE TABLE content_posts (id text)');
  await sql.query("INSERT INTO change_followers (follower, collection_id) VALUES ('search', 'c')");
  await sql.query(`CREATE TRIGGER "announce.search.insert" AFTER INSERT ON content_posts FOR EACH ROW
    EXECUTE FUNCTION cms_content.notify_entry_change('index-search', '${tenant.id}', 'c', 'posts')`);
  await sql.query("INSERT INTO content_posts VALUES ('before')");
  expect(await messages()).toEqual([{ job: 'search.index-entry', entryId: 'before' }]);

  await migrateTenant(databases, contentTables, tenant);
  expect(await sql.query('SELECT subscriber FROM change_subscriptions')).toEqual([{ subscriber: 'search' }]);
  const triggers = await sql.query<{ definition: string }>(
    `SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = 'content_posts'::regclass`,
  );
  expect(triggers).toHaveLength(1);
  expect(triggers[0]?.definition).toMatch(/^CREATE TRIGGER "notify\.search\.insert" AFTER INSERT /);
  expect(triggers[0]?.definition).toContain(
    `notify_entry_change('search.index-entry', '${tenant.id}', 'c', 'posts')`,
  );
  await sql.query("INSERT INTO content_posts VALUES ('after')");
  expect(await messages()).toEqual([{ job: 'search.index-entry', entryId: 'after' }]);
});
