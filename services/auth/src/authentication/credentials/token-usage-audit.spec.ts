import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Context } from '@quire/context';
import type { authApi } from '@quire/internal-api';
import type { AuditLog } from '../../audit/index.js';
import { TokenUsageAudit } from './token-usage-audit.js';

const hourMs = 3_600_000;
const bearer = { tokenId: 'token', userId: 'user' } as authApi.VerifiedBearer;

function setUp({ audited = [] }: { audited?: object[] } = {}) {
  const query = jest.fn(() => Promise.resolve(audited));
  const record = jest.fn(() => Promise.resolve());
  const use = new TokenUsageAudit({ record } as unknown as AuditLog);
  const contextOf = (clientAddress: string | null, tenant = 'tenant') =>
    ({ db: { query }, principal: { tenant: { id: tenant } }, clientAddress }) as unknown as Context;
  return { query, record, use, contextOf };
}

describe('TokenUsageAudit', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('records one use per hour', async () => {
    const { query, record, use, contextOf } = setUp();
    await use.record(contextOf('192.0.2.1'), bearer);
    jest.advanceTimersByTime(hourMs - 1_000);
    await use.record(contextOf('192.0.2.1'), bearer);
    expect(record).toHaveBeenCalledTimes(1);
    expect(query).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(2_000);
    await use.record(contextOf('192.0.2.1'), bearer);
    expect(record).toHaveBeenCalledTimes(2);
  });

  it('distinguishes client addresses and tenants', async () => {
    const { record, use, contextOf } = setUp();
    await use.record(contextOf('192.0.2.1'), bearer);
    await use.record(contextOf(null), bearer);
    await use.record(contextOf('192.0.2.1', 'other'), bearer);
    expect(record).toHaveBeenCalledTimes(3);
  });

  it('does not record a use that another process has audited', async () => {
    const { record, use, contextOf } = setUp({ audited: [{}] });
    await use.record(contextOf('192.0.2.1'), bearer);
    expect(record).not.toHaveBeenCalled();
  });
});
