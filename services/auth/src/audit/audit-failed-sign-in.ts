import type { Context } from '@quire/context';
import { QuireError, type ErrorCode } from '@quire/errors';
import type { RateLimit, RateLimiter } from '@quire/rate-limit';
import { consumeRateLimit } from '../rate-limits/index.js';
import type { SignInMethod } from './audit-event.js';
import type { AuditLog } from './audit-log.js';

/** Error codes that mean a rejected sign-in; other errors are faults of the request or of the server. */
const failedSignInCodes: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCOUNT_DISABLED',
  'INVALID_TOKEN',
  'TOKEN_EXPIRED',
  'CHALLENGE_EXPIRED',
  'DOMAIN_NOT_ALLOWED',
  'INVALID_STATE',
  'ADMIN_EXISTS',
  'ACCESS_DENIED',
]);

/** Limit of audited failed sign-ins per client; the request log has all. */
const auditLimit: RateLimit = { name: 'audit-failed-sign-ins', limit: 20, windowSeconds: 60 };

/** Options for auditing a failed sign-in. */
export interface SignInAuditOptions {
  audit: AuditLog;
  limiter: RateLimiter;
  method: SignInMethod;
  /** Maps an error to the audited reason, where its code is not specific enough. Never user input. */
  reasonOf?: (error: QuireError) => string;
}

/**
 * Runs a sign-in attempt and audits its rejection, after the attempt's own writes are rolled back.
 * @param attempt receives a callback that sets the user as soon as it is known
 * @throws the error of the attempt
 */
export async function auditFailedSignIn<Result>(
  ctx: Context,
  options: SignInAuditOptions,
  attempt: (setSubject: (userId: string) => void) => Promise<Result>,
): Promise<Result> {
  let userId: string | undefined;
  try {
    return await attempt((id) => (userId = id));
  } catch (error) {
    if (error instanceof QuireError && failedSignInCodes.has(error.code)) {
      const { reasonOf = ({ code }) => code } = options;
      await auditRejectedSignIn(ctx, options, { reason: reasonOf(error), userId });
    }
    throw error;
  }
}

/** Audits a rejected sign-in. @param rejection.reason a fixed term, never user input */
export async function auditRejectedSignIn(
  ctx: Context,
  { audit, limiter, method }: Omit<SignInAuditOptions, 'reasonOf'>,
  { reason, userId }: { reason: string; userId?: string | undefined },
): Promise<void> {
  if (!(await consumeRateLimit(ctx, limiter, auditLimit))) return;
  const target = userId === undefined ? null : ({ type: 'user', id: userId } as const);
  await audit.record(ctx.db, { by: ctx, action: 'session.refused', target, details: { method, reason } });
}
