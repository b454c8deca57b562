import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import type { MediaClient } from '../../../clients/index.js';
import { withPreviews } from '../section-preview.js';
import { sectionOrder, selectSections } from '../sections.repository.js';
import type { SectionResponse, SectionsQuery } from '../sections.schemas.js';

/**
 * One page of sections by title. `search` looks into title, description and keywords, whatever the case.
 * @throws QuireError INVALID_CURSOR.
 */
export async function listSections(
  ctx: Context,
  media: MediaClient,
  { source, search, cursor, limit }: SectionsQuery,
): Promise<{ items: SectionResponse[]; nextCursor?: string }> {
  const filter = { source, search };
  const scope = cursorScope({ operation: 'listSections', tenant: ctx.principal.tenant.id, ...filter });
  const page = new KeysetPage(sectionOrder, scope, { cursor, limit });
  const rows = await selectSections(ctx.db, filter, page);
  const { items, ...more } = page.cut(rows, ({ title, id }) => ({ value: title, id }));
  return { items: await withPreviews(ctx, media, items), ...more };
}
