import type { Context } from '@quire/context';
import type { authApi } from '@quire/internal-api';
import { selectBearer, selectTokenNames, type TokenName } from './credentials.repository.js';
import type { TokenUsageAudit } from './token-usage-audit.js';

/**
 * Verifies a Bearer token and audits its use. The gateway sends only the SHA-256 of the token's text.
 * @returns null for a token that is unknown, expired or of a disabled user.
 */
export async function verifyBearer(
  ctx: Context,
  tokenUsage: TokenUsageAudit,
  tokenHash: string,
): Promise<authApi.VerifiedBearer | null> {
  const bearer = await selectBearer(ctx.db, tokenHash);
  if (!bearer) return null;
  await tokenUsage.record(ctx, bearer);
  return bearer;
}

/** The names of personal tokens and of the applications of others; unknown ids are left out. */
export function tokensByIds(ctx: Context, ids: readonly string[]): Promise<TokenName[]> {
  return selectTokenNames(ctx.db, ids);
}
