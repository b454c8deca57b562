import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { requirePermission, requireScope } from '@quire/permissions';
import { readSetting } from '../../settings/index.js';
import { matchingRules } from '../redirects.repository.js';
import type { ResolveQuery } from '../redirects.schemas.js';
import { bestMatch } from '../rule-tree.js';
import type { SiteTraffic } from '../site-traffic.js';
import { requestedPath } from '../url-path.js';

export interface Resolved {
  redirect: { id: string; destination: string; type: number } | null;
}

/**
 * Where a path of the site leads (decision 28): counts the hit of the rule that answers it, or notes the path as not found.
 * Both are written a little later. Site front ends call it: with a token that may read content, or, when the setting
 * `publicRedirects` says so, without.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN.
 */
export async function resolvePath(
  ctx: Context,
  traffic: SiteTraffic,
  query: ResolveQuery,
): Promise<Resolved> {
  await requireCaller(ctx);
  const requested = requestedPath(query.path);
  const match = bestMatch(await matchingRules(ctx.db, requested), requested);
  if (match) {
    const { id, type } = match.rule;
    traffic.hits.count(ctx, id);
    return { redirect: { id, destination: match.destination, type } };
  }
  const { referrer, userAgent } = query;
  // Anybody can claim any address; a front end that signs in is taken at its word.
  const ip = ctx.principal.kind === 'anonymous' ? undefined : query.ip;
  traffic.notFound.note(ctx, requested.path, { referrer, userAgent, ip });
  return { redirect: null };
}

async function requireCaller(ctx: Context): Promise<void> {
  if (ctx.principal.kind !== 'anonymous') {
    requireScope(ctx.principal, 'content:read');
    requirePermission(ctx.principal, 'content:read');
    return;
  }
  if ((await readSetting(ctx.db, 'publicRedirects')) !== true)
    throw new QuireError('NOT_AUTHENTICATED', 'Send a Bearer token, or set publicRedirects in the settings');
}
