import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { writeSection } from '../sections.repository.js';
import type { SectionAnswer, SectionUpdate } from '../sections.schemas.js';

/**
 * Changes what is sent of a section; null clears a description or a preview (contract 19).
 * @throws QuireError NOT_FOUND, CONFLICT when the new slug is taken.
 */
export async function updateSection(
  ctx: Context,
  slug: string,
  change: SectionUpdate,
): Promise<SectionAnswer> {
  const section = await writeSection(ctx.db, slug, change);
  if (!section) throw notFound('section');
  return section;
}
