import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { Database } from './database.js';
import { Sessions } from './session.js';

const databaseName = 'spec_sessions';
const login = 'spec_sessions_login';
const group = 'spec_sessions_of_all';
const owner = (name: string) => `spec_sessions_of_${name}`;

let admin: pg.Client;
let databaseUrl: string;
let database: Database;
/** Connections that create owners and their schemas. */
let makers: pg.Pool;

const makeOwner = (name: string) =>
  makers.query(
    `BEGIN; CREATE ROLE ${owner(name)}; GRANT ${group} TO ${owner(name)} WITH INHERIT TRUE, SET FALSE;
     GRANT ${owner(name)} TO ${login} WITH INHERIT FALSE, SET TRUE; CREATE SCHEMA ${name} AUTHORIZATION ${owner(name)}; COMMIT`,
  );

beforeAll(async () => {
  const stores = testStores();
  admin = new pg.Client({ connectionString: stores.databaseUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE ${login} LOGIN CREATEROLE PASSWORD 'spec'`);
  await admin.query(`CREATE DATABASE ${databaseName} OWNER ${login}`);
  const url = new URL(stores.databaseUrl);
  [url.username, url.password, url.pathname] = [login, 'spec', databaseName];
  databaseUrl = url.href;
  database = await Database.connect({ url: url.href, poolSize: 24, applicationName: 'session.spec' });
  makers = new pg.Pool({ connectionString: url.href, max: 8 });
  await makers.query(`CREATE ROLE ${group}`);
});

afterAll(async () => {
  await database.close();
  await makers.end();
  await admin.query(`DROP DATABASE ${databaseName}`);
  await admin.query(`DO $do$ DECLARE made name; BEGIN
    FOR made IN SELECT rolname FROM pg_roles WHERE rolname LIKE 'spec_sessions_of_%' LOOP EXECUTE format('DROP ROLE %I', made); END LOOP;
  END $do$`);
  await admin.query(`DROP ROLE ${login}`);
  await admin.end();
});

const currentUser = (schema: string) =>
  database.inSchema(schema, { asOwner: true }).query('SELECT current_user::text AS name');

describe('a schema with an owner', () => {
  it('is accessible on every connection right after its owner was created, also beside others', async () => {
    // A login with many roles takes longer to read its memberships.
    for (let index = 0; index < 300; index += 1) await makeOwner(`earlier_${index}`);
    const make = async (lane: number) => {
      for (let index = 0; index < 60; index += 1) {
        const schema = `lane_${lane}_${index}`;
        await makeOwner(schema);
        const expected = [{ name: owner(schema) }];
        expect(await Promise.all(Array.from({ length: 3 }, () => currentUser(schema)))).toEqual([
          expected,
          expected,
          expected,
        ]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, lane) => make(lane)));
  });

  it('throws when its owner was not granted to the login, and releases the connections', async () => {
    await makeOwner('refused');
    await makers.query(`REVOKE ${owner('refused')} FROM ${login}`);
    await expect(currentUser('refused')).rejects.toMatchObject({ code: '42501' });
    expect(database.poolUse.waiting).toBe(0);
    expect(await currentUser('earlier_0')).toEqual([{ name: owner('earlier_0') }]);
  });
});

describe('a prepared statement', () => {
  /** With one connection, which therefore serves another schema at each change. */
  let single: Database;
  beforeAll(async () => {
    single = await Database.connect({ url: databaseUrl, poolSize: 1, applicationName: 'session.spec' });
  });
  afterAll(() => single.close());

  const read = (schema: string, expression = 'current_schema()::text', from = single) =>
    from.inSchema(schema, { asOwner: true }).query({
      prepared: true,
      text: `SELECT current_user::text AS name, ${expression} AS shown`,
    });
  const expected = (schema: string) => [{ name: owner(schema), shown: schema }];

  it('runs in the schema and role of its handle, on connections that serve others, also after failures', async () => {
    const lane = async (number: number) => {
      for (let use = 0; use < 24; use += 1) {
        const schema = `earlier_${(number + use) % 6}`;
        if (use % 7 === 0)
          await expect(read(schema, '1 / (random() * 0)::integer', database)).rejects.toMatchObject({
            code: '22012',
          });
        expect(await read(schema, undefined, database)).toEqual(expected(schema));
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => lane(number)));
    expect(database.poolUse).toMatchObject({ waiting: 0 });
  });

  it('runs as the new owner of a schema that was created again', async () => {
    await makeOwner('again');
    expect(await read('again')).toEqual(expected('again'));
    expect(await read('earlier_0')).toEqual(expected('earlier_0'));
    await makers.query(
      `SET ROLE ${owner('again')}; DROP SCHEMA again; RESET ROLE; DROP ROLE ${owner('again')}`,
    );
    await makeOwner('again');
    expect(await read('again')).toEqual(expected('again'));
    await makers.query(`ALTER ROLE ${owner('again')} RENAME TO ${owner('again')}_renamed`);
    expect(await read('earlier_0')).toEqual(expected('earlier_0'));
    expect(await read('again')).toEqual([{ name: `${owner('again')}_renamed`, shown: 'again' }]);
  });

  it('creates tables in a schema that was created again: at once here, and at the second attempt elsewhere', async () => {
    const createAgain = async () => {
      await makers.query(
        `SET ROLE ${owner('anew')}; DROP SCHEMA anew; RESET ROLE; DROP ROLE ${owner('anew')}`,
      );
      await makeOwner('anew');
    };
    const createTable = () =>
      single.inSchema('anew', { asOwner: true }).transaction(async (tx) => {
        await tx.query('CREATE TABLE made (text text)');
        await tx.query('DROP TABLE made');
      });
    await makeOwner('anew');
    await read('anew');
    await createAgain();
    single.forgetOwner('anew');
    await createTable();
    await createAgain();
    await expect(createTable()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await createTable();
  });

  it('is rejected when its owner is no longer granted to the login, and leaves the connections', async () => {
    await makeOwner('withdrawn');
    expect(await read('withdrawn')).toEqual(expected('withdrawn'));
    await makers.query(`REVOKE ${owner('withdrawn')} FROM ${login}`);
    expect(await read('earlier_0')).toEqual(expected('earlier_0'));
    await expect(read('withdrawn')).rejects.toMatchObject({ code: '42501' });
    expect(database.poolUse.waiting).toBe(0);
    expect(await read('earlier_0')).toEqual(expected('earlier_0'));
  });

  it('takes one round trip, also where its connection served another schema', async () => {
    const schemas = ['earlier_0', 'earlier_1'];
    for (const schema of schemas) await read(schema);
    const queries = jest.spyOn(pg.Client.prototype, 'query');
    for (const schema of [...schemas, ...schemas]) await read(schema);
    expect(queries).toHaveBeenCalledTimes(4);
    queries.mockRestore();
  });
});

describe('the owners that a process knows', () => {
  it('are bounded: that of the schema that was not used for longest is looked up again', async () => {
    const lookedUp: string[] = [];
    const newClient = () =>
      ({
        query: async (_: string, values?: [schema: string]) => {
          if (values) lookedUp.push(...values);
          return { rows: values ? [{ oid: 1, name: `of_${values[0]}` }] : [] };
        },
      }) as unknown as pg.PoolClient;
    const sessions = new Sessions(2);
    for (const schema of ['a', 'b', 'a', 'c', 'a', 'b'])
      await sessions.enter(newClient(), { schema, asOwner: true });
    expect(lookedUp).toEqual(['a', 'b', 'c', 'b']);
  });
});
