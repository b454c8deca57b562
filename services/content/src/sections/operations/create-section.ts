import type { Context } from '@quire/context';
import { insertSection } from '../sections.repository.js';
import type { SectionAnswer, SectionInput } from '../sections.schemas.js';

/** Makes a section (contract 19). @throws QuireError CONFLICT when the slug is taken. */
export async function createSection(ctx: Context, input: SectionInput): Promise<SectionAnswer> {
  return insertSection(ctx.db, input);
}
