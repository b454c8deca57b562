import type { Context } from '@quire/context';
import { cursorScope, encodeCursor } from '@quire/database';
import { pagePosition } from '../../entries/index.js';
import { selectSections } from '../sections.repository.js';
import type { SectionAnswer, SectionsQuery } from '../sections.schemas.js';

/**
 * One page of sections by title. `search` looks into title, description and keywords, whatever the case.
 * @throws QuireError INVALID_CURSOR.
 */
export async function listSections(
  ctx: Context,
  { source, search, cursor, limit }: SectionsQuery,
): Promise<{ items: SectionAnswer[]; nextCursor?: string }> {
  const filter = { source, search };
  const scope = cursorScope({ operation: 'listSections', tenant: ctx.principal.tenant.id, ...filter });
  const after = cursor === undefined ? undefined : pagePosition(scope, cursor, 'text');
  const rows = await selectSections(ctx.db, filter, { after, count: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || !last) return { items };
  return { items, nextCursor: encodeCursor(scope, { value: last.title, id: last.id }) };
}
