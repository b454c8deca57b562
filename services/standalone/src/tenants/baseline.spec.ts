import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  inSchemaSnapshot,
  readBaseline,
  readRows,
  readSchemaDefinition,
  type SchemaDefinition,
  type TransactionalDatabase,
} from '@quire/database';
import { siteStatements, type Tenant } from '@quire/tenancy';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import { databasesOf, ownedTables } from '../services.js';

/** The first site of the process, whose migrations are applied one by one. */
const migrated: Tenant = { id: 'default', database: null };
/** Further ones, which are created from the definition of the tables. */
const [second, third]: [Tenant, Tenant] = [
  { id: 'second', database: null },
  { id: 'third', database: null },
];

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('baseline');
  for (const site of [second, third]) await test.adminService.tenants.create(site, [`${site.id}.example`]);
});
afterAll(() => test.close());

const handleOf = async (tenant: Tenant): Promise<TransactionalDatabase> =>
  (await databasesOf(test.installation, 'content')).tenant(tenant);
const definitionOf = async (tenant: Tenant): Promise<SchemaDefinition> =>
  inSchemaSnapshot(await handleOf(tenant), readSchemaDefinition);

/** The rows of each table that has some. */
async function rowsOf(tenant: Tenant): Promise<Map<string, string>> {
  return inSchemaSnapshot(await handleOf(tenant), async (tx) => {
    const { tables } = await readSchemaDefinition(tx);
    const rows = new Map<string, string>();
    for (const table of tables) {
      let text = '';
      for await (const piece of readRows(tx, table)) text += piece.toString('utf8');
      if (text !== '') rows.set(table.name, text);
    }
    return rows;
  });
}

const countsOf = (rows: ReadonlyMap<string, string>) =>
  [...rows].map(([name, text]) => [name, text.split('\n').length - 1]);

describe('a further site of a process', () => {
  it('has the tables of a site whose migrations were applied one by one', async () => {
    const definition = siteStatements(await definitionOf(migrated), migrated);
    const inOrder = ({ beforeRows, afterRows }: typeof definition) => [
      beforeRows.toSorted(),
      afterRows.toSorted(),
    ];
    expect(inOrder(siteStatements(await definitionOf(second), migrated))).toEqual(inOrder(definition));
  });

  it('has as many rows in each table, the ledger of migrations among them', async () => {
    const rows = await rowsOf(second);
    expect(countsOf(rows)).toEqual(countsOf(await rowsOf(migrated)));
    expect([...rows.keys()]).toContain('_migrations');
  });

  it('shares no secret with another site', async () => {
    const [one, other] = [await rowsOf(second), await rowsOf(third)];
    for (const table of ['comment_salt', 'preview_keys', 'site_key']) {
      expect(one.get(table)).toBeTruthy();
      expect([table, one.get(table)]).not.toEqual([table, other.get(table)]);
    }
  });

  it('is created from a definition in each service', async () => {
    const schema = 'site_definition';
    for (const { databases, tables } of await ownedTables(test.installation)) {
      const read = readBaseline(databases.inSchema(schema), { schema, migrations: tables.tenant });
      expect((await read).tables.length).toBeGreaterThan(0);
    }
  });

  it('leaves no schema of the definition behind', async () => {
    const catalog = (await databasesOf(test.installation, 'content')).inSchema('pg_catalog');
    expect(
      await catalog.query(
        "SELECT FROM pg_namespace WHERE nspname LIKE '%baseline%' OR nspname = 'site_definition'",
      ),
    ).toEqual([]);
  });
});
