import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { MediaDirectory } from '../../media/index.js';
import { requirePreview, withPreview } from '../section-preview.js';
import { writeSection } from '../sections.repository.js';
import type { SectionAnswer, SectionUpdate } from '../sections.schemas.js';

/**
 * Changes what is sent of a section; null clears a description or a preview (contract 19).
 * @throws QuireError NOT_FOUND, CONFLICT when the new slug is taken, VALIDATION_ERROR when the preview is no media item,
 * SERVICE_UNAVAILABLE.
 */
export async function updateSection(
  ctx: Context,
  media: MediaDirectory,
  slug: string,
  change: SectionUpdate,
): Promise<SectionAnswer> {
  await requirePreview(ctx, media, change);
  const section = await writeSection(ctx.db, slug, change);
  if (!section) throw notFound('section');
  return withPreview(ctx, media, section);
}
