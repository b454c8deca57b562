import { anonymous, type Context } from '@quire/context';
import type { CacheInvalidationBus } from '@quire/jobs';
import type { RateLimiter } from '@quire/rate-limit';
import type { AuditLog } from '../../audit/index.js';

/** Dependencies of the edge access operations. */
export class EdgeAccessDeps {
  constructor(
    readonly relay: CacheInvalidationBus,
    readonly limiter: RateLimiter,
    readonly audit: AuditLog,
  ) {}
}

/** The context with an anonymous principal: the user is not authenticated yet. */
export function asAnonymous(ctx: Context): Context {
  return { ...ctx, principal: anonymous(ctx.principal.tenant) };
}
