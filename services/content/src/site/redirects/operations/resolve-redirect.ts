import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { assertPermission, assertScope } from '@quire/permissions';
import { selectSetting } from '../../settings/index.js';
import { selectMatchingRules } from '../redirects.repository.js';
import type { ResolveQuery } from '../redirects.schemas.js';
import { bestMatch } from '../rule-tree.js';
import type { VisitRecorder } from '../visit-recorder.js';
import { requestedPath } from '../url-path.js';

export interface Resolved {
  redirect: { id: string; destination: string; type: number } | null;
}

/**
 * Where a path of the site leads (decision 28): counts the hit of the rule that answers it, or notes the path as not
 * found. Both are written a little later. Site front ends call it: with a token that may read content, or, when the
 * setting `publicRedirects` says so, without.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN.
 */
export async function resolveRedirect(
  ctx: Context,
  visitRecorder: VisitRecorder,
  query: ResolveQuery,
): Promise<Resolved> {
  await assertMayResolve(ctx);
  const requested = requestedPath(query.path);
  const match = bestMatch(await selectMatchingRules(ctx.db, requested), requested);
  if (match) {
    const { id, type } = match.rule;
    visitRecorder.hits.count(ctx, id);
    return { redirect: { id, destination: match.destination, type } };
  }
  const { referrer, userAgent } = query;
  // Anybody can claim any address; a front end that signs in is taken at its word.
  const ip = ctx.principal.kind === 'anonymous' ? undefined : query.ip;
  visitRecorder.notFound.record(ctx, requested.path, { referrer, userAgent, ip });
  return { redirect: null };
}

async function assertMayResolve(ctx: Context): Promise<void> {
  if (ctx.principal.kind !== 'anonymous') {
    assertScope(ctx.principal, 'content:read');
    assertPermission(ctx.principal, 'content:read');
    return;
  }
  if ((await selectSetting(ctx.db, 'publicRedirects')) !== true)
    throw new QuireError('NOT_AUTHENTICATED', 'Send a Bearer token, or set publicRedirects in the settings');
}
