import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { Database } from './database.js';
import { Sessions } from './session.js';

const databaseName = 'spec_sessions';
const login = 'spec_sessions_login';
const group = 'spec_sessions_of_all';
const owner = (name: string) => `spec_sessions_of_${name}`;

let admin: pg.Client;
let database: Database;
/** Connections that create owners and their schemas. */
let makers: pg.Pool;

const makeOwner = (name: string) =>
  makers.query(
    `BEGIN; CREATE ROLE ${owner(name)}; GRANT ${group} TO ${owner(name)} WITH INHERIT TRUE, SET FALSE;
     GRANT ${owner(name)} TO ${login} WITH INHERIT FALSE, SET TRUE; CREATE SCHEMA ${name} AUTHORIZATION ${owner(name)}; COMMIT`,
  );

beforeAll(async () => {
  const { databaseUrl } = testStores();
  admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE ${login} LOGIN CREATEROLE PASSWORD 'spec'`);
  await admin.query(`CREATE DATABASE ${databaseName} OWNER ${login}`);
  const url = new URL(databaseUrl);
  [url.username, url.password, url.pathname] = [login, 'spec', databaseName];
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
