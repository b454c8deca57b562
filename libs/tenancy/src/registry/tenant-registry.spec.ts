import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database, migrate, type Statement, type TransactionalDatabase } from '@quire/database';
import { eventually, testStores } from '@quire/testing';
import { registryMigrations } from './registry-migrations.js';
import { TenantRegistry } from './tenant-registry.js';

const schema = 'spec_registry';
let database: Database;
let sql: TransactionalDatabase;
let reads = 0;
/** Reads of all tenants. */
let loads = 0;
let isUnavailable = false;
let registry: TenantRegistry;

/** Counts reads of the registry. */
const counting = (): TransactionalDatabase => ({
  query: (statement: Statement | string, values?: readonly unknown[]) => {
    if (isUnavailable) return Promise.reject(new Error('unavailable'));
    reads += 1;
    if (String(statement).includes('array_agg(host)')) loads += 1;
    return sql.query(statement, values);
  },
  transaction: (work) => sql.transaction(work),
});

const idOf = async (host: string) => (await registry.byHost(host))?.id;

beforeAll(async () => {
  database = await Database.connect({ url: testStores().databaseUrl, poolSize: 2, applicationName: 'spec' });
  await database.inSchema('pg_catalog').query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
  await migrate(sql, { schema, service: 'registry', migrations: registryMigrations });
});
beforeEach(() => {
  registry = new TenantRegistry(counting(), ['localhost:4321', '127.0.0.1:4321', '[::1]:4321']);
  [reads, loads, isUnavailable] = [0, 0, false];
});
afterEach(async () => {
  jest.restoreAllMocks();
  await sql.query('DELETE FROM tenants');
});

/** Makes time pass for the registry. */
function passTime(milliseconds: number): void {
  const now = Date.now() + milliseconds;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
}
afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

describe('TenantRegistry.byHost', () => {
  it('returns the tenant of a registered host, with or without a port, in any case', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example', 'A2.example']);
    await registry.add({ id: 'b', database: 'EU1' }, ['b.example:8080']);
    expect(await Promise.all(['a.example', 'A.EXAMPLE:4400', 'a2.example'].map(idOf))).toEqual([
      'a',
      'a',
      'a',
    ]);
    expect(await registry.byHost('b.example:8080')).toEqual({ id: 'b', database: 'EU1' });
    expect(await idOf('b.example:9')).toBeUndefined();
  });

  it('returns `default` for any host while it is the only tenant (decision 29)', async () => {
    await registry.ensureDefault();
    expect(await idOf('whatever.example')).toBe('default');
    await registry.add({ id: 'a', database: null }, ['a.example']);
    expect(await idOf('whatever.example')).toBeUndefined();
    expect(await idOf('')).toBeUndefined();
  });

  it('returns undefined for an unknown host when the only tenant is another one', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    expect(await idOf('unknown.example')).toBeUndefined();
  });

  it('accepts registered hosts only in knowsHost, not those that lead to `default`', async () => {
    await registry.ensureDefault();
    expect(await registry.knowsHost('whatever.example')).toBe(false);
    await registry.add({ id: 'a', database: null }, ['a.example']);
    const hosts = ['A.example', 'a.example:4400', 'b.example'];
    expect(await Promise.all(hosts.map((host) => registry.knowsHost(host)))).toEqual([true, true, false]);
  });

  it('reads the registry once for many requests', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await Promise.all(Array.from({ length: 50 }, () => idOf('a.example')));
    expect(reads).toBe(1);
  });

  it('finds a tenant of another process right away, without a relay message', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    await new TenantRegistry(sql).add({ id: 'b', database: null }, ['b.example']);
    const hosts = Array.from({ length: 10 }, () => 'B.example:8080');
    expect(await Promise.all(hosts.map(idOf))).toEqual(Array(10).fill('b'));
  });

  it('returns `default` only briefly for the host of a tenant that another process has added', async () => {
    await registry.ensureDefault();
    expect(await idOf('b.example')).toBe('default');
    await new TenantRegistry(sql).add({ id: 'b', database: null }, ['b.example']);
    await wait(120);
    expect(await idOf('b.example')).toBe('b');
    expect(await idOf('unknown.example')).toBeUndefined();
  });

  it('returns `default` for the installation’s own hosts, until another tenant has them', async () => {
    await registry.ensureDefault();
    await registry.add({ id: 'a', database: null }, ['a.example']);
    const hosts = ['LOCALHOST:4321', '127.0.0.1:4321', '[::1]:4321', 'localhost:9', 'localhost', '127.0.0.1'];
    expect(await Promise.all(hosts.map(idOf))).toEqual([
      'default',
      'default',
      'default',
      undefined,
      undefined,
      undefined,
    ]);
    expect(await registry.installationHostsOf('default')).toEqual([
      'localhost:4321',
      '127.0.0.1:4321',
      '[::1]:4321',
    ]);
    expect(await registry.installationHostsOf('a')).toEqual([]);
    await registry.addHosts({ id: 'a', database: null }, ['localhost']);
    expect(await Promise.all(hosts.map(idOf))).toEqual(['a', 'default', 'default', 'a', 'a', undefined]);
    expect(await registry.installationHostsOf('default')).toEqual(['127.0.0.1:4321', '[::1]:4321']);
  });

  it('returns undefined for the installation’s own hosts without `default`', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    expect(await idOf('localhost:4321')).toBeUndefined();
  });

  it('compares the version, not more than ten times a second, for the hosts of the installation', async () => {
    await registry.ensureDefault();
    await idOf('localhost:4321');
    [reads, loads] = [0, 0];
    passTime(120);
    const hosts = ['localhost:4321', '127.0.0.1:4321', '[::1]:4321'];
    const ids = await Promise.all(hosts.map(idOf));
    expect([ids, reads, loads]).toEqual([['default', 'default', 'default'], 1, 0]);
    await Promise.all(hosts.map(idOf));
    expect(reads).toBe(1);
    isUnavailable = true;
    jest.restoreAllMocks();
    passTime(240);
    expect(await idOf('localhost:4321')).toBe('default');
  });

  it('finds a host of the installation that another process has registered, a tenth of a second later', async () => {
    await registry.ensureDefault();
    await registry.add({ id: 'a', database: null }, ['a.example']);
    expect(await idOf('localhost:4321')).toBe('default');
    await new TenantRegistry(sql).addHosts({ id: 'a', database: null }, ['localhost']);
    passTime(101);
    expect(await idOf('localhost:4321')).toBe('a');
  });

  it('looks up a bounded number of unknown hosts, and does not load the registry for them', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    [reads, loads] = [0, 0];
    passTime(0);
    for (let index = 0; index < 200; index += 1) await idOf(`unknown-${index}.example`);
    expect([reads, loads]).toEqual([50, 0]);
    jest.restoreAllMocks();
    passTime(1_000);
    for (let round = 0; round < 5; round += 1) await idOf('unknown-0.example');
    expect([reads, loads]).toEqual([51, 0]);
  });

  it('serves known hosts with what it has, while one row tells whether the registry has changed', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    [reads, loads] = [0, 0];
    passTime(61_000);
    expect(await Promise.all(Array.from({ length: 20 }, () => idOf('a.example')))).toEqual(
      Array(20).fill('a'),
    );
    expect(await eventually(async () => reads === 1)).toBe(true);
    expect([await idOf('a.example'), reads, loads]).toEqual(['a', 1, 0]);
  });

  it('loads a registry that has changed, without a relay message', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    await new TenantRegistry(sql).addHosts({ id: 'a', database: null }, ['second.example']);
    await new TenantRegistry(sql).removeHost('a', 'a.example');
    passTime(61_000);
    expect(await idOf('a.example')).toBe('a');
    expect(await eventually(async () => (await idOf('a.example')) === undefined)).toBe(true);
    expect(await idOf('second.example')).toBe('a');
  });

  it('serves known hosts for five minutes while the database does not respond', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    isUnavailable = true;
    passTime(299_000);
    expect(await idOf('a.example')).toBe('a');
    jest.restoreAllMocks();
    passTime(301_000);
    await expect(idOf('a.example')).rejects.toThrow('unavailable');
    isUnavailable = false;
    expect(await idOf('a.example')).toBe('a');
  });

  it('does not cache a read that a drop has outdated', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    const early = registry.byHost('a.example');
    await sql.query('DELETE FROM tenants');
    registry.drop();
    await early;
    expect(await idOf('a.example')).toBeUndefined();
  });
});

describe('TenantRegistry.byId', () => {
  it('looks up a tenant that the process does not know before it counts as deleted', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    expect(await registry.byId('b')).toBeUndefined();
    await new TenantRegistry(sql).add({ id: 'b', database: 'EU1' }, ['b.example']);
    expect(await registry.byId('b')).toEqual({ id: 'b', database: 'EU1' });
    await new TenantRegistry(sql).remove('b');
    registry.drop();
    expect(await registry.byId('b')).toBeUndefined();
  });
});

describe('TenantRegistry', () => {
  it('adds the default tenant only if there is none', async () => {
    await registry.ensureDefault();
    await registry.ensureDefault();
    expect((await registry.list()).map(({ id }) => id)).toEqual(['default']);
    await registry.remove('default');
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await registry.ensureDefault();
    expect((await registry.list()).map(({ id }) => id)).toEqual(['a']);
  });

  it('adds hosts to a tenant, also to `default`, and removes one', async () => {
    await registry.ensureDefault();
    await registry.add({ id: 'a', database: null }, ['a.example']);
    const own = { id: 'default', database: null };
    await registry.addHosts(own, ['Own.example', 'localhost:4321']);
    await registry.addHosts(own, ['own.example']);
    expect((await registry.hostsOf('default')).sort()).toEqual(['localhost:4321', 'own.example']);
    expect(await Promise.all(['own.example', 'localhost:4321', 'b.example'].map(idOf))).toEqual([
      'default',
      'default',
      undefined,
    ]);
    expect(await registry.removeHost('a', 'own.example')).toBe(false);
    expect(await registry.removeHost('default', 'OWN.example')).toBe(true);
    expect(await idOf('own.example')).toBeUndefined();
  });

  it('adds none of the hosts when another tenant has one of them', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    const other = { id: 'b', database: null };
    await registry.add(other, ['b.example']);
    await expect(registry.addHosts(other, ['c.example', 'A.example'])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Not added: another tenant has the host a.example',
    });
    await expect(registry.addHosts(other, ['no host'])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await registry.hostsOf('b')).toEqual(['b.example']);
  });

  it('adds tenants and hosts at the same time without a deadlock: one of two gets a host', async () => {
    const [first, second] = [new TenantRegistry(sql), new TenantRegistry(sql)];
    await registry.add({ id: 'a', database: null }, ['a.example']);
    for (let round = 0; round < 20; round += 1) {
      const host = `h${round}.example`;
      const outcomes = await Promise.allSettled([
        first.add({ id: `t${round}`, database: null }, [host]),
        second.addHosts({ id: 'a', database: null }, [host]),
      ]);
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(failures).toEqual([
        { status: 'rejected', reason: expect.objectContaining({ code: 'CONFLICT' }) },
      ]);
    }
  });

  it('rejects an existing tenant or host, and stores neither', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await expect(registry.add({ id: 'a', database: null }, ['new.example'])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Not created: the tenant a exists',
    });
    await expect(
      registry.add({ id: 'b', database: null }, ['new.example', 'A.example']),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Not created: another tenant has that host',
    });
    expect(await registry.byId('b')).toBeUndefined();
    await registry.add({ id: 'c', database: null }, ['new.example']);
  });

  it.each([
    ['an id', { id: 'No', database: null }, ['a.example']],
    ['a host', { id: 'a', database: null }, ['no host']],
    ['a database key', { id: 'a', database: 'eu-1' }, ['a.example']],
  ])('rejects %s that is invalid', async (_, tenant, hosts) => {
    await expect(registry.add(tenant, hosts)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await registry.list()).toEqual([]);
  });

  it('removes a tenant with its hosts, and returns whether there was one', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    expect(await registry.remove('a')).toBe(true);
    expect(await registry.remove('a')).toBe(false);
    await registry.add({ id: 'b', database: null }, ['a.example']);
    expect(await idOf('a.example')).toBe('b');
  });
});

describe('the read-only reason of a tenant', () => {
  const reason = 'TRANSFER_IMPORT_IN_PROGRESS';

  it('is read with the registry, and applies in this process when it is set', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await registry.add({ id: 'b', database: null }, ['b.example']);
    expect(await registry.readOnlyReasonOf('a')).toBeUndefined();
    await registry.setReadOnlyReason('a', reason);
    await registry.setReadOnlyReason('a', reason);
    expect(await registry.readOnlyReasonOf('a')).toBe(reason);
    expect(await registry.readOnlyReasonOf('b')).toBeUndefined();
    expect(await registry.readOnlyReasonOf('unknown')).toBeUndefined();
    await registry.setReadOnlyReason('a', null);
    await registry.setReadOnlyReason('a', null);
    expect(await registry.readOnlyReasonOf('a')).toBeUndefined();
  });

  it('is not older than a minute, and unknown while that cannot be assured', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    await new TenantRegistry(sql).setReadOnlyReason('a', reason);
    passTime(60_001);
    expect(await registry.readOnlyReasonOf('a')).toBe(reason);
    jest.restoreAllMocks();
    isUnavailable = true;
    passTime(180_000);
    await expect(registry.readOnlyReasonOf('a')).rejects.toThrow('unavailable');
  });

  it('costs no read of its own, and another process has it once it drops the registry', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    await new TenantRegistry(sql).setReadOnlyReason('a', reason);
    reads = 0;
    expect(await registry.readOnlyReasonOf('a')).toBeUndefined();
    expect(reads).toBe(0);
    registry.drop();
    expect(await registry.readOnlyReasonOf('a')).toBe(reason);
    expect(reads).toBe(1);
  });
});

describe('TenantRegistry.refresh', () => {
  it('applies a change that no message has reported, and returns the version', async () => {
    await registry.add({ id: 'a', database: null }, ['a.example']);
    await idOf('a.example');
    const before = await registry.refresh();
    await sql.query("UPDATE tenants SET database = 'EU2'");
    expect(await registry.byHost('a.example')).toEqual({ id: 'a', database: null });
    expect(await registry.refresh()).toBe(before + 1);
    expect(await registry.byHost('a.example')).toEqual({ id: 'a', database: 'EU2' });
  });
});
