import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import type { BylineSummary } from '../credits/index.js';
import type { Locales } from '../../locales/index.js';
import { bylineOrder, selectBylines } from '../bylines.repository.js';
import type { BylineQuery } from '../bylines.schemas.js';

export interface BylinePage {
  items: BylineSummary[];
  nextCursor?: string;
}

/**
 * One page of the bylines, newest first; `search` looks into names and slugs (contract 35).
 * @throws QuireError INVALID_CURSOR, VALIDATION_ERROR (a malformed locale).
 */
export async function listBylines(ctx: Context, locales: Locales, query: BylineQuery): Promise<BylinePage> {
  const { cursor, limit, ...sent } = query;
  const filters = { ...sent, locale: sent.locale === undefined ? undefined : locales.requested(sent.locale) };
  const scope = cursorScope({ operation: 'listBylines', tenant: ctx.principal.tenant.id, filters });
  const page = new KeysetPage(bylineOrder, scope, { cursor, limit });
  const rows = await selectBylines(ctx.db, filters, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}
