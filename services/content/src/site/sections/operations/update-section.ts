import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { MediaClient } from '../../../clients/index.js';
import { assertPreviewExists, withPreview } from '../section-preview.js';
import { updateSectionRow } from '../sections.repository.js';
import type { SectionResponse, SectionUpdate } from '../sections.schemas.js';

/**
 * Changes what is sent of a section; null clears a description or a preview (contract 19).
 * @throws QuireError NOT_FOUND, CONFLICT when the new slug is taken, VALIDATION_ERROR when the preview is no media
 * item, SERVICE_UNAVAILABLE.
 */
export async function updateSection(
  ctx: Context,
  media: MediaClient,
  slug: string,
  change: SectionUpdate,
): Promise<SectionResponse> {
  await assertPreviewExists(ctx, media, change);
  const section = await updateSectionRow(ctx.db, slug, change);
  if (!section) throw notFound('section');
  return withPreview(ctx, media, section);
}
