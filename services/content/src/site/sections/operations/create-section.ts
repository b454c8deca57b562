import type { Context } from '@quire/context';
import type { MediaClient } from '../../../clients/index.js';
import { assertPreviewExists, withPreview } from '../section-preview.js';
import { insertSection } from '../sections.repository.js';
import type { SectionResponse, SectionInput } from '../sections.schemas.js';

/**
 * Makes a section (contract 19).
 * @throws QuireError CONFLICT when the slug is taken, VALIDATION_ERROR when the preview is no media item,
 *   SERVICE_UNAVAILABLE.
 */
export async function createSection(
  ctx: Context,
  media: MediaClient,
  input: SectionInput,
): Promise<SectionResponse> {
  await assertPreviewExists(ctx, media, input);
  return withPreview(ctx, media, await insertSection(ctx.db, input));
}
