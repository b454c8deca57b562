import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { findLoopingRules } from '../loops.js';
import { selectRules, selectRedirects, redirectOrder } from '../redirects.repository.js';
import type { RedirectResponse, RedirectQuery } from '../redirects.schemas.js';

export interface RedirectPage {
  items: RedirectResponse[];
  nextCursor?: string;
  /** Enabled rules that lead round in circles, whatever the filters; on the first page, when there are some. */
  loopRedirectIds?: string[];
}

/** One page of the rules, newest first (contract 23). @throws QuireError INVALID_CURSOR. */
export async function listRedirects(ctx: Context, query: RedirectQuery): Promise<RedirectPage> {
  const { cursor, limit, ...filters } = query;
  const scope = cursorScope({ operation: 'listRedirects', tenant: ctx.principal.tenant.id, filters });
  const page = new KeysetPage(redirectOrder, scope, { cursor, limit });
  const rows = await selectRedirects(ctx.db, filters, page);
  const looping = page.isFirst ? [...(await findLoopingRules(await selectRules(ctx.db)))].sort() : [];
  return {
    ...page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id })),
    ...(looping.length > 0 ? { loopRedirectIds: looping } : {}),
  };
}
