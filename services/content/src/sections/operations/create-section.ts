import type { Context } from '@quire/context';
import type { MediaDirectory } from '../../media/index.js';
import { requirePreview, withPreview } from '../section-preview.js';
import { insertSection } from '../sections.repository.js';
import type { SectionAnswer, SectionInput } from '../sections.schemas.js';

/**
 * Makes a section (contract 19).
 * @throws QuireError CONFLICT when the slug is taken, VALIDATION_ERROR when the preview is no media item, SERVICE_UNAVAILABLE.
 */
export async function createSection(
  ctx: Context,
  media: MediaDirectory,
  input: SectionInput,
): Promise<SectionAnswer> {
  await requirePreview(ctx, media, input);
  return withPreview(ctx, media, await insertSection(ctx.db, input));
}
