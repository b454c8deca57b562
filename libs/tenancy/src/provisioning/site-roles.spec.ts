import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@quire/config';
import { identifier } from '@quire/database';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { ServiceDatabases, type ServiceDatabasesOptions } from '../connection/service-databases.js';
import { migrateShared, migrateTenant, removeTenant, type ServiceTables } from './provisioning.js';

const permissionDenied = { code: '42501' };
const undefinedTable = { code: '42P01' };
const databaseName = 'spec_site_roles';
const owner = 'spec_site_roles_owner';
const serving = 'spec_site_roles_serving';

const tables: ServiceTables = {
  tenant: [
    {
      name: '0001-notes',
      up: async (sql) => {
        await sql.query('CREATE TABLE notes (id bigint GENERATED ALWAYS AS IDENTITY, text text)');
        await sql.query('CREATE SEQUENCE versions');
        await sql.query('CREATE VIEW texts AS SELECT text FROM notes');
        await sql.query('CREATE FUNCTION one() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$');
      },
    },
  ],
  shared: [
    {
      name: '0001-waiting',
      up: async (sql) => {
        await sql.query('CREATE TABLE waiting (tenant_id text, text text)');
        await sql.query('CREATE TABLE outbox (id text, job text, message json)');
        await sql.query('CREATE TABLE internals (text text)');
        await sql.query('CREATE SEQUENCE numbers');
      },
    },
  ],
};
const tenant = (id: string) => ({ id, database: null });
const [one, two] = [tenant('role-one'), tenant('role-two')];

let admin: pg.Client;
const opened: ServiceDatabases[] = [];
let databases: ServiceDatabases;

async function open(login: string, options: Partial<ServiceDatabasesOptions> = {}) {
  const url = new URL(testStores().databaseUrl);
  [url.username, url.password, url.pathname] = [login, 'spec', databaseName];
  const made = await ServiceDatabases.open({
    service: 'spec',
    url: url.href,
    extraUrls: new Map(),
    // One connection, so that state of one site on it would reach the next.
    poolSize: 1,
    applicationName: 'site-roles.spec',
    ...options,
  });
  opened.push(made);
  return made;
}

const rolesOf = async (id: string) => {
  const { rows } = await admin.query('SELECT rolname FROM pg_roles WHERE rolname LIKE $1', [
    `quire\\_%\\_site\\_${id}`,
  ]);
  return rows;
};

beforeAll(async () => {
  admin = new pg.Client({ connectionString: testStores().databaseUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'spec'`);
  await admin.query(`CREATE ROLE ${serving} LOGIN PASSWORD 'spec'`);
  await admin.query(`CREATE DATABASE ${databaseName} OWNER ${owner}`);
  databases = await open(owner);
  await migrateShared(databases, tables);
  for (const site of [one, two]) {
    await migrateTenant(databases, tables, site);
    await databases.tenant(site).query('INSERT INTO notes (text) VALUES ($1)', [`of ${site.id}`]);
  }
});

afterAll(async () => {
  for (const each of opened) await each.close();
  await admin.query(`DROP DATABASE IF EXISTS ${databaseName} WITH (FORCE)`);
  const { rows } = await admin.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles WHERE rolname ~ '_site_role-' OR oid IN (
       SELECT m.roleid FROM pg_auth_members m JOIN pg_roles member ON member.oid = m.member WHERE member.rolname = $1)`,
    [owner],
  );
  for (const { name } of rows) await admin.query(`DROP ROLE IF EXISTS ${identifier(name)}`);
  for (const login of [owner, serving]) await admin.query(`DROP ROLE ${login}`);
  await admin.end();
});

describe('role of a site', () => {
  it('reads and writes the tables of its site, alternating with others on one connection', async () => {
    for (const site of [one, two, one])
      expect(await databases.tenant(site).query('SELECT text FROM notes')).toEqual([
        { text: `of ${site.id}` },
      ]);
    await databases.tenant(one).transaction(async (tx) => {
      await tx.query('CREATE TABLE more (id integer)');
      await tx.query('DROP TABLE more');
    });
  });

  it('has no rights to the tables of another site', async () => {
    const read = databases.tenant(one).query('SELECT text FROM "site_role-two".notes');
    await expect(read).rejects.toMatchObject(permissionDenied);
  });

  it('finds nothing of another site when the search path is lost or names that site', async () => {
    const lost = (path: string) =>
      databases.tenant(one).transaction(async (tx) => {
        await tx.query('SELECT set_config($1, $2, true)', ['search_path', path]);
        return tx.query('SELECT text FROM notes');
      });
    await expect(lost('"site_role-two"')).rejects.toMatchObject(undefinedTable);
    await expect(lost('pg_catalog')).rejects.toMatchObject(undefinedTable);
  });

  it('is required to read a site: the login has no rights', async () => {
    const login = databases.inSchema('site_role-one');
    await expect(login.query('SELECT text FROM notes')).rejects.toMatchObject(undefinedTable);
    const named = databases.shared().query('SELECT text FROM "site_role-one".notes');
    await expect(named).rejects.toMatchObject(permissionDenied);
  });

  it('is left by a connection for statements outside a site', async () => {
    await databases.tenant(one).query('SELECT text FROM notes');
    const [row] = await databases.shared().query('SELECT current_user AS name');
    expect(row).toEqual({ name: owner });
  });
});

describe('role of a site in a schema across sites', () => {
  const shared = 'cms_spec';
  beforeAll(async () => {
    for (const site of [one, two])
      await databases.tenant(site).query(`INSERT INTO ${shared}.waiting VALUES ($1, 'waits')`, [site.id]);
  });

  it('reads only the rows of its site', async () => {
    const rows = await databases.tenant(one).query(`SELECT tenant_id AS site FROM ${shared}.waiting`);
    expect(rows).toEqual([{ site: 'role-one' }]);
    expect(
      await databases
        .tenant(one)
        .query(`DELETE FROM ${shared}.waiting WHERE tenant_id = $1 RETURNING 1`, [two.id]),
    ).toEqual([]);
    const foreign = databases.tenant(one).query(`INSERT INTO ${shared}.waiting VALUES ($1)`, [two.id]);
    await expect(foreign).rejects.toMatchObject(permissionDenied);
    expect(await databases.shared().query('SELECT FROM waiting')).toHaveLength(2);
  });

  it('inserts messages of its site into the outbox, and reads none', async () => {
    const leave = (of: string) =>
      databases
        .tenant(one)
        .query(`INSERT INTO ${shared}.outbox VALUES ('1', 'job', $1)`, [JSON.stringify({ tenantId: of })]);
    await leave(one.id);
    await expect(leave(two.id)).rejects.toMatchObject(permissionDenied);
    await expect(leave('')).rejects.toMatchObject(permissionDenied);
    const read = databases.tenant(one).query(`SELECT FROM ${shared}.outbox`);
    await expect(read).rejects.toMatchObject(permissionDenied);
  });

  it('uses sequences, and has no rights to a table without tenants', async () => {
    expect(await databases.tenant(one).query(`SELECT nextval('${shared}.numbers') AS next`)).toEqual([
      { next: 1 },
    ]);
    const read = databases.tenant(one).query(`SELECT FROM ${shared}.internals`);
    await expect(read).rejects.toMatchObject(permissionDenied);
  });
});

describe('provisioning', () => {
  it('transfers a site of the login to a role, with its contents', async () => {
    const old = tenant('role-old');
    const without = await open(owner, { hasSiteRoles: false });
    await migrateTenant(without, tables, old);
    await without.tenant(old).query("INSERT INTO notes (text) VALUES ('kept')");
    expect(await rolesOf(old.id)).toEqual([]);

    expect(await migrateTenant(databases, tables, old)).toEqual([]);
    // A process that has served the site as the login continues as the role.
    for (const each of [without, databases])
      expect(
        await each.tenant(old).query("SELECT text, nextval('versions') > 0 AS counts, one() FROM texts"),
      ).toEqual([{ text: 'kept', counts: true, one: 1 }]);
    const { rows } = await admin.query('SELECT rolsuper, rolcanlogin FROM pg_roles WHERE rolname LIKE $1', [
      '%\\_site\\_role-old',
    ]);
    expect(rows).toEqual([{ rolsuper: false, rolcanlogin: false }]);
    const login = databases.shared().query('SELECT FROM "site_role-old".notes');
    await expect(login).rejects.toMatchObject(permissionDenied);
  });

  it('removes the role with the site, which can be created again immediately', async () => {
    const brief = tenant('role-brief');
    for (const text of ['first', 'second']) {
      await migrateTenant(databases, tables, brief);
      await databases.tenant(brief).query('INSERT INTO notes (text) VALUES ($1)', [text]);
      expect(await databases.tenant(brief).query('SELECT text FROM notes')).toEqual([{ text }]);
      expect(await rolesOf(brief.id)).toHaveLength(1);
      const other = await open(owner);
      await other.tenant(brief).query('SELECT text FROM notes');
      await removeTenant(databases, tables, brief);
      expect(await rolesOf(brief.id)).toEqual([]);
      await expect(other.tenant(brief).query('SELECT FROM notes')).rejects.toMatchObject(undefinedTable);
    }
  });

  it('keeps connections that served the site before it was created again', async () => {
    const again = tenant('role-again');
    await migrateTenant(databases, tables, again);
    const other = await open(owner);
    await other.tenant(again).query('SELECT text FROM notes');
    await removeTenant(databases, tables, again);
    await migrateTenant(databases, tables, again);
    expect(await other.tenant(again).query('SELECT text FROM notes')).toEqual([]);
  });

  it('grants the serving login the roles of sites, and the schemas across sites', async () => {
    const provisioning = await open(owner, { servingRole: serving });
    await migrateShared(provisioning, tables);
    for (const site of [one, two]) await migrateTenant(provisioning, tables, site);
    const served = await open(serving);
    expect(await served.tenant(two).query('SELECT text FROM notes')).toEqual([{ text: 'of role-two' }]);
    expect(await served.shared().query('SELECT FROM waiting')).toHaveLength(2);
    expect(await served.shared().query('DELETE FROM outbox RETURNING 1')).toHaveLength(1);
    const login = served.shared().query('SELECT FROM "site_role-one".notes');
    await expect(login).rejects.toMatchObject(permissionDenied);
    await expect(served.shared().query('DROP TABLE waiting')).rejects.toMatchObject(permissionDenied);
  });

  it('lets the serving login remove a site, whose role is left and serves a later site of the id', async () => {
    const provisioning = await open(owner, { servingRole: serving });
    const site = tenant('role-three');
    await migrateTenant(provisioning, tables, site);
    const served = await open(serving);
    for (let time = 0; time < 2; time += 1) await removeTenant(served, tables, site);
    expect(await rolesOf('role-three')).toHaveLength(1);
    const schemas = await admin.query("SELECT 1 FROM pg_namespace WHERE nspname = 'site_role-three'");
    expect(schemas.rows).toEqual([]);
    await migrateTenant(provisioning, tables, site);
    expect(await served.tenant(site).query('SELECT text FROM notes')).toEqual([]);
    await removeTenant(provisioning, tables, site);
    expect(await rolesOf('role-three')).toEqual([]);
  });

  it('throws an error of one line with the setting when the login may not create roles', async () => {
    const served = await open(serving);
    const refused = migrateTenant(served, tables, tenant('role-none'));
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(migrateTenant(served, tables, tenant('role-none'))).rejects.toThrow(
      /the login spec_site_roles_serving may not.*CMS_DATABASE_ROLES=off/,
    );
    expect(await rolesOf('role-none')).toEqual([]);
  });
});
