import { anonymous, type Context } from '@quire/context';
import type { CacheRelay } from '@quire/messages';
import type { AuditLog } from '../audit/index.js';

/** What the operations of edge access work with, beside their context. */
export interface EdgeServices {
  relay: CacheRelay;
  audit: AuditLog;
}

/** The visitor's own context: the gateway asks on behalf of somebody who is nobody yet. */
export function asVisitor(ctx: Context): Context {
  return { ...ctx, principal: anonymous(ctx.principal.tenant) };
}
