import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import type { MediaClient } from '../../clients/index.js';
import {
  deleteSectionRow,
  insertSection,
  sectionOrder,
  selectSection,
  selectSections,
  updateSectionRow,
  type StoredSection,
} from './sections.repository.js';
import type { SectionInput, SectionResponse, SectionsQuery, SectionUpdate } from './sections.schemas.js';

/** @returns one page of sections by title (contract 19). @throws QuireError INVALID_CURSOR. */
export async function listSections(
  ctx: Context,
  media: MediaClient,
  { source, search, cursor, limit }: SectionsQuery,
): Promise<{ items: SectionResponse[]; nextCursor?: string }> {
  const filter = { source, search };
  const scope = cursorScope({ operation: 'listSections', tenant: ctx.principal.tenant.id, ...filter });
  const page = new KeysetPage(sectionOrder, scope, { cursor, limit });
  const rows = await selectSections(ctx.db, filter, page);
  const { items, ...rest } = page.cut(rows, ({ title, id }) => ({ value: title, id }));
  return { items: await withPreviewUrls(ctx, media, items), ...rest };
}

/**
 * Creates a section (contract 19).
 * @throws QuireError CONFLICT when the slug is taken, VALIDATION_ERROR when the preview is no media item,
 *   SERVICE_UNAVAILABLE.
 */
export async function createSection(
  ctx: Context,
  media: MediaClient,
  input: SectionInput,
): Promise<SectionResponse> {
  await assertPreviewExists(ctx, media, input);
  return withPreviewUrl(ctx, media, await insertSection(ctx.db, input));
}

/** @returns one section (contract 19). @throws QuireError NOT_FOUND. */
export async function getSection(ctx: Context, media: MediaClient, slug: string): Promise<SectionResponse> {
  const section = await selectSection(ctx.db, slug);
  if (!section) throw notFound('section');
  return withPreviewUrl(ctx, media, section);
}

/**
 * Updates the given properties of a section; null clears a description or a preview (contract 19).
 * @throws QuireError NOT_FOUND, CONFLICT when the new slug is taken, VALIDATION_ERROR when the preview is no media
 *   item, SERVICE_UNAVAILABLE.
 */
export async function updateSection(
  ctx: Context,
  media: MediaClient,
  { slug, update }: { slug: string; update: SectionUpdate },
): Promise<SectionResponse> {
  await assertPreviewExists(ctx, media, update);
  const section = await updateSectionRow(ctx.db, slug, update);
  if (!section) throw notFound('section');
  return withPreviewUrl(ctx, media, section);
}

/** Deletes a section (contract 19). @throws QuireError NOT_FOUND, FORBIDDEN for a section of the theme. */
export async function deleteSection(ctx: Context, slug: string): Promise<{ deleted: true }> {
  if (await deleteSectionRow(ctx.db, slug)) return { deleted: true };
  if (!(await selectSection(ctx.db, slug))) throw notFound('section');
  throw new QuireError('FORBIDDEN', 'A section of the theme cannot be deleted');
}

/** Adds the addresses of preview images; a section without one when its image is missing or media is unavailable. */
async function withPreviewUrls(
  ctx: Context,
  media: MediaClient,
  sections: readonly StoredSection[],
): Promise<SectionResponse[]> {
  const ids = sections.flatMap(({ previewMediaId }) => previewMediaId ?? []);
  const files = await media.byIdsOrEmpty(ctx, ids);
  return sections.map((section) => {
    const previewUrl = files.get(section.previewMediaId ?? '')?.url;
    return previewUrl === undefined ? section : { ...section, previewUrl };
  });
}

async function withPreviewUrl(
  ctx: Context,
  media: MediaClient,
  section: StoredSection,
): Promise<SectionResponse> {
  const [response = section] = await withPreviewUrls(ctx, media, [section]);
  return response;
}

async function assertPreviewExists(
  ctx: Context,
  media: MediaClient,
  { previewMediaId }: { previewMediaId?: string | null | undefined },
): Promise<void> {
  if (previewMediaId) await media.assertAllExist(ctx, [{ path: 'previewMediaId', mediaId: previewMediaId }]);
}
