import type { Context } from '@quire/context';
import { QuireError, type ErrorCode } from '@quire/errors';
import type { RateLimit, RateLimiter } from '@quire/rate-limit';
import { isAllowed } from '../allowance/index.js';
import type { SignInMethod } from './audit-event.js';
import type { AuditLog } from './audit-log.js';

/** What it means that a sign-in was refused; other failures are the request's or ours. */
const refusals: ReadonlySet<ErrorCode> = new Set([
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

/** Anybody can fail to sign in: of one client so many failures are told, and every one is in the log of requests. */
const told: RateLimit = { name: 'audit-refusals', limit: 20, windowSeconds: 60 };

/** What a sign-in is told with. */
export interface SignInTelling {
  audit: AuditLog;
  limiter: RateLimiter;
  method: SignInMethod;
  /** What is said of a refusal, where its code says too little: one of our own words. */
  reasonOf?: (refusal: QuireError) => string;
}

/**
 * Runs an attempt to sign in and has the audit log tell of it when it is refused, after whatever the attempt wrote is undone.
 * @param attempt is given a way to say whom it is about, as soon as that is known
 * @throws what the attempt throws
 */
export async function tellingRefusals<Result>(
  ctx: Context,
  telling: SignInTelling,
  attempt: (isAbout: (userId: string) => void) => Promise<Result>,
): Promise<Result> {
  let userId: string | undefined;
  try {
    return await attempt((id) => (userId = id));
  } catch (error) {
    if (error instanceof QuireError && refusals.has(error.code)) {
      const { reasonOf = ({ code }) => code } = telling;
      await tellRefusal(ctx, telling, { reason: reasonOf(error), userId });
    }
    throw error;
  }
}

/** Has the audit log tell that a sign-in was refused. @param refusal.reason one of our own words */
export async function tellRefusal(
  ctx: Context,
  { audit, limiter, method }: Omit<SignInTelling, 'reasonOf'>,
  { reason, userId }: { reason: string; userId?: string | undefined },
): Promise<void> {
  if (!(await isAllowed(ctx, limiter, told))) return;
  const target = userId === undefined ? null : ({ type: 'user', id: userId } as const);
  await audit.record(ctx.db, { by: ctx, action: 'session.refused', target, details: { method, reason } });
}
