import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTcpProxy, testStores, type TcpProxy } from '@quire/testing';
import { LazyDatabase } from './lazy-database.js';

let proxy: TcpProxy;
let database: LazyDatabase;

beforeEach(async () => {
  proxy = await createTcpProxy(testStores().databaseUrl);
  database = new LazyDatabase({ url: proxy.url, poolSize: 2, applicationName: 'lazy-database.spec' });
});
afterEach(async () => {
  await database.close();
  await proxy.disconnect();
});

const select = () => database.inSchema('pg_catalog').query('SELECT 1 AS one');

describe('LazyDatabase', () => {
  it('connects at the first statement, once for all that wait', async () => {
    const sql = database.inSchema('pg_catalog');
    expect(database.poolUse).toEqual({ total: 0, idle: 0, waiting: 0 });
    const results = await Promise.all([sql.query('SELECT 1 AS one'), select(), select()]);
    expect(results).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
    expect(database.poolUse.total).toBeLessThanOrEqual(2);
    expect(await sql.transaction((tx) => tx.query('SELECT 2 AS two'))).toEqual([{ two: 2 }]);
  });

  it('rejects statements and transactions with 503 until it can connect', async () => {
    const sql = database.inSchema('pg_catalog');
    await proxy.disconnect();
    const unavailable = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 };
    await expect(select()).rejects.toMatchObject(unavailable);
    await expect(sql.transaction((tx) => tx.query('SELECT 1'))).rejects.toMatchObject(unavailable);
    await proxy.restore();
    expect(await sql.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is also unavailable, and not broken, when the database rejects its login', async () => {
    const url = Object.assign(new URL(proxy.url), { pathname: '/missing' }).href;
    const missing = new LazyDatabase({ url, poolSize: 1, applicationName: 'lazy-database.spec' });
    await expect(missing.inSchema('pg_catalog').query('SELECT 1')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { code: '3D000' },
    });
    await missing.close();
  });

  it('opens no connection after it was closed, and closes one that is being opened', async () => {
    const first = select().catch(() => undefined);
    await database.close();
    await first;
    await expect(select()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
