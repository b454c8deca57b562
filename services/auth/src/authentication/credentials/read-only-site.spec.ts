import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guardWrites, liftWriteGuard } from '@quire/tenancy';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { AuditLog } from '../../audit/index.js';
import { authEntities } from '../../auth.module.js';
import { authTables } from '../../migrations/index.js';
import { ensureUser } from '../../users/index.js';
import { createToken } from '../api-tokens/index.js';
import { openSession, verifySession } from '../sessions/index.js';
import { verifyBearer } from './credentials.operations.js';
import { TokenUsageAudit } from './token-usage-audit.js';

let auth: ServiceTenant;
let userId: string;
let tokenId: string;
beforeAll(async () => {
  auth = await openServiceTenant('spec-of-read-only-site', 'auth', authTables, authEntities);
  await auth.ctx.db.transaction(async (tx) => {
    ({ id: userId } = await ensureUser(tx, { email: 'ann@site.example', role: 50 }));
    const { token } = await createToken(tx, { userId, name: 'Spec', scopes: ['admin'] });
    tokenId = token.id;
    await openSession(tx, userId, { clientAddress: null, origin: null });
  });
  await auth.ctx.db.query(
    "UPDATE sessions SET token_hash = 'session', last_seen_at = now() - interval '1 hour'",
  );
  await auth.ctx.db.query("UPDATE api_tokens SET token_hash = 'token', last_used_at = NULL");
});
afterAll(() => auth.close());

/** Whether the uses of the session and of the token are stored, and the number of audited uses. */
async function stored(): Promise<unknown> {
  const [row] = await auth.ctx.db.query(
    `SELECT (SELECT last_seen_at > now() - interval '1 minute' FROM sessions) AS session,
       (SELECT last_used_at IS NOT NULL FROM api_tokens) AS token,
       (SELECT count(*) FROM audit_log WHERE action = 'token.used') AS audited`,
  );
  return row;
}

describe('a credential of a site that rejects writes', () => {
  it('is verified without its use being stored, which the next use after it is', async () => {
    const { ctx } = auth;
    const usage = new TokenUsageAudit(new AuditLog());
    const verify = async () => [
      await verifySession(ctx, 'session'),
      await verifyBearer(ctx, usage, 'token'),
      await verifySession(ctx, 'unknown'),
      await verifyBearer(ctx, usage, 'unknown'),
    ];
    const verified = [{ userId, disabled: false }, { userId, tokenId, scopes: ['admin'] }, undefined, null];
    await guardWrites(ctx.db, 60);
    expect(await verify()).toMatchObject(verified);
    expect(await stored()).toEqual({ session: false, token: false, audited: 0 });
    await liftWriteGuard(ctx.db);
    expect(await verify()).toMatchObject(verified);
    expect(await stored()).toEqual({ session: true, token: true, audited: 1 });
  });
});
