import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { openServiceTenant, useFixture } from '@quire/testing';
import { transferTables } from '../../migrations/index.js';
import { transferEntities } from '../../transfer.module.js';
import { transferSteps, type LeasedOperation } from './transfer-steps.repository.js';

const tenant = useFixture(() =>
  openServiceTenant('spec-of-transfer-steps', 'transfer', transferTables, transferEntities),
);
const keyOf = (operationId: string) => ({ tenantId: tenant.tenant.id, operationId });

async function lease(operationId: string): Promise<LeasedOperation> {
  const { db } = tenant.ctx;
  await transferSteps.enqueue(db, keyOf(operationId));
  const leased = await transferSteps.claimByKey(db, keyOf(operationId));
  if (!leased) throw new Error('Another process has the lease');
  return leased;
}

describe('leases of the steps of a transfer', () => {
  it('have a greater fencing token than all leases of the site before', async () => {
    const { db } = tenant.ctx;
    const first = await lease('a');
    await transferSteps.release(db, first);
    const second = await lease('a');
    await transferSteps.complete(db, second);
    const leases = [first, second, await lease('a'), await lease('b')];
    const tokens = leases.map(({ fencingToken }) => fencingToken);
    expect(tokens).toEqual([...new Set(tokens)].sort((left, right) => left - right));
    expect(tokens).toHaveLength(leases.length);
  });

  it('keep their token while they are extended', async () => {
    const leased = await lease('c');
    expect(await transferSteps.extend(tenant.ctx.db, leased)).toEqual(leased);
  });
});
