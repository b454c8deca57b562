import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { ServiceDatabases } from '../connection/service-databases.js';
import { migrateTenant, removeTenant, type ServiceTables } from './provisioning.js';
import { dropFormerSite, hasTables, replaceSite } from './replace-site.js';

const tenant = { id: 'spec-of-replacement', database: null };
const tables: ServiceTables = {
  shared: [],
  tenant: [
    {
      name: '0001-notes',
      up: async (sql) => {
        await sql.query('CREATE TABLE notes (text text)');
      },
      seed: (sql) => sql.query("INSERT INTO notes VALUES ('former')"),
    },
  ],
};

describe.each([true, false])('replaceSite, with roles of sites: %s', (hasSiteRoles) => {
  let databases: ServiceDatabases;
  const notes = async () =>
    (await databases.tenant(tenant).query<{ text: string }>('SELECT text FROM notes')).map(
      ({ text }) => text,
    );
  const schemas = async () =>
    (
      await databases
        .inSchema('pg_catalog')
        .query<{ name: string }>(
          "SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE '%\\_spec-of-replacement'",
        )
    ).map(({ name }) => name);

  beforeAll(async () => {
    databases = await ServiceDatabases.open({
      service: 'spec',
      url: testStores().databaseUrl,
      extraUrls: new Map(),
      poolSize: 3,
      applicationName: 'replace-site.spec',
      hasSiteRoles,
    });
  });
  beforeEach(async () => {
    await removeTenant(databases, tables, tenant);
    await migrateTenant(databases, tables, tenant);
  });
  afterAll(async () => {
    await removeTenant(databases, tables, tenant);
    await databases.close();
  });

  it('shows others the present site, without a wait, until it commits', async () => {
    await replaceSite(databases, tenant, async (tx) => {
      await tx.query('CREATE TABLE notes (text text)');
      await tx.query("INSERT INTO notes VALUES ('new')");
      expect(await notes()).toEqual(['former']);
      await databases.tenant(tenant).query("INSERT INTO notes VALUES ('during')");
    });
    expect(await notes()).toEqual(['new']);
    await dropFormerSite(databases, tenant);
    expect(await schemas()).toEqual(['site_spec-of-replacement']);
    await databases.tenant(tenant).query('CREATE TABLE other (id integer)');
  });

  it('leaves the site as it was after a failure', async () => {
    const failed = replaceSite(databases, tenant, async (tx) => {
      await tx.query('CREATE TABLE notes (text text)');
      throw new Error('no more rows');
    });
    await expect(failed).rejects.toThrow('no more rows');
    expect([await notes(), await schemas()]).toEqual([['former'], ['site_spec-of-replacement']]);
  });

  it('deletes what an interrupted replacement has left', async () => {
    const replace = (text: string) =>
      replaceSite(databases, tenant, async (tx) => {
        await tx.query('CREATE TABLE notes (text text)');
        await tx.query('INSERT INTO notes VALUES ($1)', [text]);
      });
    await replace('first');
    await replace('second');
    expect(await notes()).toEqual(['second']);
  });

  it('creates a site that does not exist', async () => {
    await removeTenant(databases, tables, tenant);
    expect(await hasTables(databases, tenant)).toBe(false);
    await replaceSite(databases, tenant, async (tx) => {
      await tx.query('CREATE TABLE notes (text text)');
    });
    expect([await hasTables(databases, tenant), await notes()]).toEqual([true, []]);
  });
});
