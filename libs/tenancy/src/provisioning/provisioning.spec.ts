import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { ServiceDatabases } from '../connection/service-databases.js';
import { migrateShared, migrateTenant, removeTenant, type ServiceTables } from './provisioning.js';

const tables: ServiceTables = {
  tenant: [
    { name: '0001-notes', up: async (sql) => void (await sql.query('CREATE TABLE notes (text text)')) },
  ],
  shared: [
    { name: '0001-waiting', up: async (sql) => void (await sql.query('CREATE TABLE waiting (text text)')) },
    {
      name: '0002-letters',
      up: async (sql) => void (await sql.query('CREATE TABLE letters (tenant_id text, text text)')),
    },
  ],
  tenantRows: ['letters'],
};
const [one, two] = [
  { id: 'spec-one', database: null },
  { id: 'spec-two', database: null },
];
let databases: ServiceDatabases;

beforeAll(async () => {
  databases = await ServiceDatabases.open({
    service: 'spec',
    url: testStores().databaseUrl,
    extraUrls: new Map([['EU1', testStores().databaseUrl]]),
    poolSize: 4,
    applicationName: 'provisioning.spec',
  });
});
afterAll(async () => {
  for (const tenant of [one, two]) await removeTenant(databases, tables, tenant);
  await databases.inSchema('pg_catalog').query('DROP SCHEMA IF EXISTS cms_spec CASCADE');
  await databases.close();
});

describe('databases of a service', () => {
  it("get the service's tables across tenants", async () => {
    expect(databases.keys).toEqual([null, 'EU1']);
    // Both keys name one server here, so the second finds its tables.
    expect(await migrateShared(databases, tables)).toEqual(['0001-waiting', '0002-letters']);
    expect(await databases.shared('EU1').query('SELECT * FROM waiting')).toEqual([]);
  });

  it('name the missing variable for a tenant in a database without an address', () => {
    expect(() => databases.tenant({ id: 'x', database: 'US1' })).toThrow('set DATABASE_URL_US1');
  });

  it('respond to a ping', async () => {
    for (const key of databases.keys) await expect(databases.ping(key)).resolves.toBeUndefined();
  });
});

describe('migrateTenant and removeTenant (design 5)', () => {
  it('create the tables once when processes race', async () => {
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrateTenant(databases, tables, one)));
    expect(applied.flat()).toEqual(['0001-notes']);
    expect(await migrateTenant(databases, tables, one)).toEqual([]);
  });

  it('isolate tenants with tables of the same names', async () => {
    await migrateTenant(databases, tables, two);
    await databases.tenant(one).query("INSERT INTO notes VALUES ('of one')");
    expect(await databases.tenant(two).query('SELECT * FROM notes')).toEqual([]);
    expect(await databases.tenant(one).query('SELECT * FROM notes')).toEqual([{ text: 'of one' }]);
  });

  it('remove the tables of the tenant, and keep those of others', async () => {
    const shared = databases.shared();
    await shared.query("INSERT INTO letters VALUES ('spec-one', 'of one'), ('spec-two', 'of two')");
    await removeTenant(databases, tables, one);
    expect(await shared.query('SELECT text FROM letters')).toEqual([{ text: 'of two' }]);
    await expect(databases.tenant(one).query('SELECT * FROM notes')).rejects.toMatchObject({ code: '42P01' });
    expect(await databases.tenant(two).query('SELECT * FROM notes')).toEqual([]);
    await removeTenant(databases, tables, one);
  });
});
