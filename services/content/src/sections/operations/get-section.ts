import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { MediaDirectory } from '../../media/index.js';
import { withPreview } from '../section-preview.js';
import { sectionBySlug } from '../sections.repository.js';
import type { SectionAnswer } from '../sections.schemas.js';

/** One section (contract 19). @throws QuireError NOT_FOUND. */
export async function getSection(ctx: Context, media: MediaDirectory, slug: string): Promise<SectionAnswer> {
  const section = await sectionBySlug(ctx.db, slug);
  if (!section) throw notFound('section');
  return withPreview(ctx, media, section);
}
