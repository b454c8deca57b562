import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemActor } from '@quire/context';
import type { TransactionalDatabase } from '@quire/database';
import { migrateRegistry, registrySchema, ServiceDatabases } from '@quire/tenancy';
import { eventually, openServiceTenant, testStores, type ServiceTenant } from '@quire/testing';
import { authEntities } from '../auth.module.js';
import { authTables } from '../migrations/index.js';
import { AuditHeads } from './audit-heads.repository.js';
import { AuditLog } from './audit-log.js';
import { chainMaintenance, maintainChain } from './chain-maintenance.js';
import { verifyAuditChain } from './operations/verify-chain.js';

const name = 'spec-of-audit-chain';
const retentionDays = 180;
const log = new AuditLog();
const logged: object[] = [];
let site: ServiceTenant;
let registry: ServiceDatabases;
let heads: AuditHeads;

const sql = <Row extends object = object>(text: string, values: unknown[] = []) =>
  site.ctx.db.query<Row>(text, values);
const inRegistry = (text: string, values: unknown[] = []) =>
  registry.inSchema(registrySchema).query(text, values);
const verify = () => verifyAuditChain(site.ctx.db, heads, name);
const faultOf = async () => (await verify()).fault;
const maintain = () =>
  maintainChain(
    {
      tenantDatabase: (tenant) => site.databases.tenant(tenant),
      heads,
      retentionDays,
      logger: { warn: () => undefined, error: (fields: object) => logged.push(fields) },
    },
    site.tenant,
  );

async function record(count = 1): Promise<void> {
  const by = { principal: systemActor(site.tenant, 'system:tests'), clientAddress: null, requestId: null };
  for (let number = 0; number < count; number += 1) {
    const target = { type: 'user', id: `user${number}` } as const;
    await log.record(site.ctx.db, { by, action: 'user.updated', target, details: { fields: ['name'] } });
  }
}

/** Inserts chained records with a time in the past. */
async function recordOld(count: number, days: number): Promise<void> {
  const { now } = Date;
  const then = now() - days * 86_400_000;
  Date.now = () => then;
  await record(count).finally(() => (Date.now = now));
}
const count = async () => (await sql('SELECT id FROM audit_log')).length;

beforeAll(async () => {
  site = await openServiceTenant(name, 'auth', authTables, authEntities);
  registry = await ServiceDatabases.open({
    service: 'registry',
    url: testStores().databaseUrl,
    extraUrls: new Map(),
    poolSize: 2,
    applicationName: name,
  });
  await migrateRegistry(registry);
  heads = new AuditHeads(registry.inSchema(registrySchema));
});
beforeEach(async () => {
  logged.length = 0;
  await sql('TRUNCATE audit_log, audit_chain');
  await inRegistry('DELETE FROM tenants WHERE id = $1', [name]);
  await inRegistry('INSERT INTO tenants (id) VALUES ($1)', [name]);
});
afterAll(async () => {
  await inRegistry('DELETE FROM tenants WHERE id = $1', [name]);
  await registry.close();
  await site.close();
});

describe('chainMaintenance', () => {
  it('maintains the sites of a database while another database does not respond', async () => {
    await record(2);
    let answer: (rows: never[]) => void = () => undefined;
    const silence = new Promise<never[]>((resolve) => (answer = resolve));
    const silent = { query: () => silence } as unknown as TransactionalDatabase;
    const maintenance = chainMaintenance({
      tenants: () => Promise.resolve([{ id: 'spec-of-silence', database: 'EU1' }, site.tenant]),
      tenantDatabase: (tenant) => (tenant.database === null ? site.databases.tenant(tenant) : silent),
      heads,
      retentionDays,
      logger: { warn: () => undefined, error: () => undefined },
    });
    maintenance.start();
    const newest = () => heads.selectNewestHead(name);
    expect(await eventually(newest)).toMatchObject({ seq: 2 });
    answer([]);
    await maintenance.stop();
  });
});

describe('verifyAuditChain', () => {
  it('finds no fault in unchanged records', async () => {
    expect(await verify()).toEqual({ records: 0, heads: 0, fault: null });
    await record(3);
    expect(await verify()).toEqual({ records: 3, heads: 0, fault: null });
  });

  it.each([
    [
      'changed',
      `UPDATE audit_log SET details = '{}' WHERE target_id = 'user1'`,
      /^record 2 \(.+\) was changed$/,
    ],
    [
      'given another actor',
      `UPDATE audit_log SET actor_id = 'ann' WHERE target_id = 'user0'`,
      /^record 1 .* changed$/,
    ],
    [
      'moved in time',
      `UPDATE audit_log SET created_at = now() WHERE target_id = 'user1'`,
      /^record 2 .* changed$/,
    ],
    ['deleted', `DELETE FROM audit_log WHERE target_id = 'user1'`, /^record 2 \(.+\) is missing$/],
    [
      'inserted',
      `INSERT INTO audit_log (id, action, actor_kind, details) VALUES ('a', 'b', 'c', '{}')`,
      /^record 5 \(a\) was changed$/,
    ],
    [
      'replaced by another',
      `UPDATE audit_chain SET record_id = 'x' WHERE seq = 2`,
      /^record 2 \(x\) is missing$/,
    ],
  ])('detects a record that was %s', async (_, statement, fault) => {
    await record(4);
    await sql(statement);
    expect(await faultOf()).toMatch(fault);
  });

  it('detects links that were deleted with their records', async () => {
    await record(4);
    await sql(`DELETE FROM audit_log WHERE target_id IN ('user1', 'user2')`);
    await sql('DELETE FROM audit_chain WHERE seq IN (2, 3)');
    expect(await faultOf()).toBe('records 2 to 3 are missing');
  });

  it('detects deleted oldest records', async () => {
    await record(4);
    await sql(`DELETE FROM audit_log WHERE target_id = 'user0'`);
    await sql('DELETE FROM audit_chain WHERE seq = 1');
    expect(await faultOf()).toBe('records 1 to 1 are missing');
  });

  it('detects a record without a link', async () => {
    await record(2);
    await sql('ALTER TABLE audit_log DISABLE TRIGGER audit_log_chain');
    await record().finally(() => sql('ALTER TABLE audit_log ENABLE TRIGGER audit_log_chain'));
    expect(await faultOf()).toMatch(/is in no chain$/);
  });

  it('detects a chain that was rewritten after its head was stored', async () => {
    await record(3);
    await maintain();
    await sql('TRUNCATE audit_log, audit_chain');
    await record(5);
    expect(await faultOf()).toMatch(/^record 3 is not the head that was stored on \d{4}-\d\d-\d\d$/);
  });

  it('detects a truncated end after its head was stored', async () => {
    await record(3);
    await maintain();
    await sql(`DELETE FROM audit_log WHERE target_id = 'user2'`);
    await sql('DELETE FROM audit_chain WHERE seq = 3');
    expect(await faultOf()).toBe('records 3 to 3 are missing at its end');
    await sql('TRUNCATE audit_log, audit_chain');
    expect(await faultOf()).toBe('records 1 to 3 are missing at its end');
  });
});

describe('the chain', () => {
  it('has no gap after concurrent writers, some of which roll back', async () => {
    const rollBack = async (number: number) =>
      site.ctx.db.transaction(async (tx) => {
        const by = { principal: site.ctx.principal, clientAddress: null, requestId: null };
        await log.record(tx, { by, action: 'user.enabled', target: { type: 'user', id: `not${number}` } });
        throw new Error('Rolled back');
      });
    const writers = Array.from({ length: 20 }, (_, number) =>
      number % 4 === 3 ? rollBack(number).catch(() => undefined) : record(5),
    );
    await Promise.all(writers);
    expect(await verify()).toEqual({ records: 75, heads: 0, fault: null });
  });

  it('contains the records from before the migration', async () => {
    await record(3);
    const [migration] = authTables.tenant.filter(({ name: each }) => each === '0080-audit-chain');
    await sql('DROP TABLE audit_chain');
    await sql('DROP FUNCTION append_audit_link CASCADE');
    await sql('ALTER TABLE audit_log DROP COLUMN digest');
    await site.ctx.db.transaction(async (tx) => migration?.up(tx));
    await record(2);
    expect(await verify()).toEqual({ records: 5, heads: 0, fault: null });
  });
});

describe('maintainChain', () => {
  it('stores one head a day, the newest', async () => {
    await record(2);
    await maintain();
    await record(2);
    await maintain();
    await maintain();
    expect(await heads.selectHeads(name)).toMatchObject([{ seq: 4 }]);
    expect(await verify()).toMatchObject({ heads: 1, fault: null });
  });

  it('keeps the head of a rewritten chain and logs an error', async () => {
    await record(3);
    await maintain();
    await sql('TRUNCATE audit_log, audit_chain');
    await record(5);
    expect(await maintain()).toBe(false);
    expect(logged).toEqual([{ tenant: name, seq: 3 }]);
    expect(await heads.selectHeads(name)).toMatchObject([{ seq: 3 }]);
  });

  it('deletes expired records in batches, and the chain verifies from the anchor on', async () => {
    await recordOld(1_100, retentionDays + 1);
    await recordOld(2, retentionDays - 1);
    await maintain();
    expect(await count()).toBe(2);
    expect(await heads.selectAnchor(name)).toMatchObject({ seq: 1_100 });
    expect(await verify()).toEqual({ records: 2, heads: 1, fault: null });
    await record();
    await maintain();
    expect(await verify()).toEqual({ records: 3, heads: 1, fault: null });
  });

  it('continues a chain whose records have all expired', async () => {
    await recordOld(3, retentionDays + 1);
    await maintain();
    expect(await count()).toBe(0);
    expect(await faultOf()).toBeNull();
    await record();
    await maintain();
    expect(await verify()).toEqual({ records: 1, heads: 1, fault: null });
  });

  it('continues after an interruption between the anchor and the deletion', async () => {
    await recordOld(3, retentionDays + 1);
    await record(2);
    const [link] = await sql<{ seq: number; hash: Buffer }>(
      'SELECT seq, hash FROM audit_chain WHERE seq = 3',
    );
    if (!link) throw new Error('There is no link');
    await heads.updateAnchor(name, link);
    expect(await verify()).toEqual({ records: 5, heads: 0, fault: null });
    await maintain();
    expect(await verify()).toEqual({ records: 2, heads: 1, fault: null });
  });

  it('reports records deleted before their expiry', async () => {
    await recordOld(2, retentionDays + 1);
    await record(3);
    await maintain();
    await sql('DELETE FROM audit_log WHERE id IN (SELECT record_id FROM audit_chain WHERE seq <= 3)');
    await sql('DELETE FROM audit_chain WHERE seq <= 3');
    expect(await faultOf()).toBe('records 3 to 3 are missing');
  });
});
