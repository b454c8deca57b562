import type { Context } from '@quire/context';
import { cursorScope, encodeCursor } from '@quire/database';
import type { BylineSummary } from '../../credits/index.js';
import { pagePosition } from '../../entries/index.js';
import type { Locales } from '../../locales/index.js';
import { findBylines } from '../bylines.repository.js';
import type { BylineQuery } from '../bylines.schemas.js';

export interface BylinePage {
  items: BylineSummary[];
  nextCursor?: string;
}

/**
 * One page of the bylines, newest first; `search` looks into names and slugs (contract 35).
 * @throws QuireError INVALID_CURSOR, VALIDATION_ERROR (a locale that the site does not have).
 */
export async function listBylines(ctx: Context, locales: Locales, query: BylineQuery): Promise<BylinePage> {
  const { cursor, limit, ...sent } = query;
  const filters = { ...sent, locale: sent.locale === undefined ? undefined : locales.stored(sent.locale) };
  const scope = cursorScope({ operation: 'listBylines', tenant: ctx.principal.tenant.id, filters });
  const after = cursor === undefined ? undefined : pagePosition(scope, cursor, 'timestamptz');
  const rows = await findBylines(ctx.db, filters, { after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    ...(rows.length > limit && last
      ? { nextCursor: encodeCursor(scope, { value: last.createdAt, id: last.id }) }
      : {}),
  };
}
