import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { MediaClient } from '../../../clients/index.js';
import { withPreview } from '../section-preview.js';
import { selectSection } from '../sections.repository.js';
import type { SectionResponse } from '../sections.schemas.js';

/** One section (contract 19). @throws QuireError NOT_FOUND. */
export async function getSection(ctx: Context, media: MediaClient, slug: string): Promise<SectionResponse> {
  const section = await selectSection(ctx.db, slug);
  if (!section) throw notFound('section');
  return withPreview(ctx, media, section);
}
