import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { rulesInLoops } from '../loops.js';
import { allRules, findRedirects, redirectOrder } from '../redirects.repository.js';
import type { RedirectAnswer, RedirectQuery } from '../redirects.schemas.js';

export interface RedirectPage {
  items: RedirectAnswer[];
  nextCursor?: string;
  /** Enabled rules that lead round in circles, whatever the filters; on the first page, when there are some. */
  loopRedirectIds?: string[];
}

/** One page of the rules, newest first (contract 23). @throws QuireError INVALID_CURSOR. */
export async function listRedirects(ctx: Context, query: RedirectQuery): Promise<RedirectPage> {
  const { cursor, limit, ...filters } = query;
  const scope = cursorScope({ operation: 'listRedirects', tenant: ctx.principal.tenant.id, filters });
  const page = new KeysetPage(redirectOrder, scope, { cursor, limit });
  const rows = await findRedirects(ctx.db, filters, page);
  const looping = page.isFirst ? [...(await rulesInLoops(await allRules(ctx.db)))].sort() : [];
  return {
    ...page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id })),
    ...(looping.length > 0 ? { loopRedirectIds: looping } : {}),
  };
}
