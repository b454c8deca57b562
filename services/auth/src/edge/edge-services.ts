import { anonymous, type Context } from '@quire/context';
import type { CacheRelay } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import type { AuditLog } from '../audit/index.js';

/** What the operations of edge access work with, beside their context. */
export class EdgeServices {
  constructor(
    readonly relay: CacheRelay,
    readonly limiter: RateLimiter,
    readonly audit: AuditLog,
  ) {}
}

/** The visitor's own context: the gateway asks on behalf of somebody who is nobody yet. */
export function asVisitor(ctx: Context): Context {
  return { ...ctx, principal: anonymous(ctx.principal.tenant) };
}
