import type { Context } from '@quire/context';
import { cursorScope, encodeCursor } from '@quire/database';
import { pagePosition } from '../../entries/index.js';
import { rulesInLoops } from '../loops.js';
import { allRules, findRedirects } from '../redirects.repository.js';
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
  const after = cursor === undefined ? undefined : pagePosition(scope, cursor, 'timestamptz');
  const rows = await findRedirects(ctx.db, filters, { after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const looping = after ? [] : [...rulesInLoops(await allRules(ctx.db))].sort();
  return {
    items,
    ...(rows.length > limit && last
      ? { nextCursor: encodeCursor(scope, { value: last.createdAt, id: last.id }) }
      : {}),
    ...(looping.length > 0 ? { loopRedirectIds: looping } : {}),
  };
}
