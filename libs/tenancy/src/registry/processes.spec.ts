import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, migrate, type TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { deleteProcess, hasPresentRegistry, listProcesses, recordProcess } from './processes.js';
import { registryMigrations } from './registry-migrations.js';

const schema = 'spec_processes';
let database: Database;
let sql: TransactionalDatabase;

beforeAll(async () => {
  database = await Database.connect({ url: testStores().databaseUrl, poolSize: 4, applicationName: 'spec' });
  await database.inSchema('pg_catalog').query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
  await migrate(sql, { schema, service: 'registry', migrations: registryMigrations });
});
beforeEach(() => sql.query('DELETE FROM processes'));
afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

let count = 0;
/** A process that started after those before. */
const newProcess = (version = '1.0.0') => ({
  id: `01-${String((count += 1)).padStart(4, '0')}`,
  host: 'host',
  pid: 1,
  targets: ['gateway', 'admin'],
  version,
});
const ids = async () =>
  (await sql.query<{ id: string }>('SELECT id FROM processes ORDER BY id')).map(({ id }) => id);
/** Makes all processes silent. */
const silence = () => sql.query(`UPDATE processes SET seen_at = seen_at - interval '61 seconds'`);

describe('recordProcess', () => {
  it('makes a process listed, with the time of its start and the last time', async () => {
    const one = newProcess();
    await recordProcess(sql, one, { uptimeSeconds: 90 });
    await sql.query(`UPDATE processes SET seen_at = seen_at - interval '30 seconds'`);
    const [first] = await listProcesses(sql);
    await recordProcess(sql, one, { uptimeSeconds: 120 });
    const [second] = await listProcesses(sql);
    expect(second).toEqual({ ...one, startedAt: first?.startedAt, seenAt: expect.any(String) });
    const since = (time = '') => Date.parse(second?.seenAt ?? '') - Date.parse(time);
    expect(since(first?.seenAt)).toBeGreaterThanOrEqual(30_000);
    expect(since(first?.startedAt)).toBeGreaterThanOrEqual(90_000);
  });

  it('removes the processes that were not seen for a minute and started before', async () => {
    const [one, two, three] = [newProcess(), newProcess(), newProcess()];
    for (const each of [one, three]) await recordProcess(sql, each, { uptimeSeconds: 0 });
    await silence();
    expect(await listProcesses(sql)).toEqual([]);
    await recordProcess(sql, two, { uptimeSeconds: 0 });
    expect(await ids()).toEqual([two.id, three.id]);
    expect((await listProcesses(sql)).map(({ id }) => id)).toEqual([two.id]);
    await recordProcess(sql, one, { uptimeSeconds: 0 });
    expect((await listProcesses(sql)).map(({ id }) => id)).toEqual([one.id, two.id]);
  });

  it('lets the processes record themselves at the same time after an outage of the database', async () => {
    const processes = Array.from({ length: 8 }, () => newProcess());
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(processes.map((each) => recordProcess(sql, each, { uptimeSeconds: 0 })));
      await silence();
    }
    await Promise.all(processes.map((each) => recordProcess(sql, each, { uptimeSeconds: 0 })));
    await Promise.all(processes.map((each) => recordProcess(sql, each, { uptimeSeconds: 0 })));
    expect(await ids()).toEqual(processes.map(({ id }) => id));
  });
});

describe('deleteProcess', () => {
  it('removes a process', async () => {
    const one = newProcess();
    await recordProcess(sql, one, { uptimeSeconds: 0 });
    await deleteProcess(sql, one.id);
    expect(await ids()).toEqual([]);
  });
});

describe('hasPresentRegistry', () => {
  it('is true when every running process uses the present version, or none', async () => {
    const change = () => sql.query('UPDATE registry_version SET version = version + 1');
    const version = async () =>
      (await sql.query<{ version: number }>('SELECT version FROM registry_version'))[0]?.version;
    const [one, two, old] = [newProcess(), newProcess(), newProcess()];
    const record = async (process = one) =>
      recordProcess(sql, process, { uptimeSeconds: 0, registryVersion: await version() });
    await record();
    await recordProcess(sql, two, { uptimeSeconds: 0 });
    expect(await hasPresentRegistry(sql)).toBe(true);
    await change();
    await record();
    expect(await hasPresentRegistry(sql)).toBe(false);
    await recordProcess(sql, two, { uptimeSeconds: 0 });
    expect(await hasPresentRegistry(sql)).toBe(true);
    // A version of the program that does not record it.
    await recordProcess(sql, old, { uptimeSeconds: 0 });
    await sql.query('UPDATE processes SET registry_version = NULL WHERE id = $1', [old.id]);
    expect(await hasPresentRegistry(sql)).toBe(false);
    await silence();
    expect(await hasPresentRegistry(sql)).toBe(true);
  });
});
