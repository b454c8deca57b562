import type { Context } from '@quire/context';
import type { MediaClient } from '../../clients/index.js';
import type { SectionResponse, StoredSection } from './sections.schemas.js';

/** Sections with the addresses of their preview images; without, where the image is gone or cannot be asked for now. */
export async function withPreviews(
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

/** The same of one section. */
export async function withPreview(
  ctx: Context,
  media: MediaClient,
  section: StoredSection,
): Promise<SectionResponse> {
  const [shown = section] = await withPreviews(ctx, media, [section]);
  return shown;
}

/** @throws QuireError VALIDATION_ERROR when what is sent as a preview is no media item, SERVICE_UNAVAILABLE. */
export async function assertPreviewExists(
  ctx: Context,
  media: MediaClient,
  { previewMediaId }: { previewMediaId?: string | null | undefined },
): Promise<void> {
  if (previewMediaId) await media.assertAllExist(ctx, [{ path: 'previewMediaId', mediaId: previewMediaId }]);
}
