import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { deleteSectionRow, selectSection } from '../sections.repository.js';

/** Removes a section (contract 19). @throws QuireError NOT_FOUND, FORBIDDEN for one that the theme brought. */
export async function deleteSection(ctx: Context, slug: string): Promise<{ deleted: true }> {
  if (await deleteSectionRow(ctx.db, slug)) return { deleted: true };
  if (!(await selectSection(ctx.db, slug))) throw notFound('section');
  throw new QuireError('FORBIDDEN', 'A section of the theme cannot be deleted');
}
