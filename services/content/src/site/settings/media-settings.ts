import type { Context } from '@quire/context';
import type { contentApi, mediaApi } from '@quire/internal-api';
import type { MediaClient } from '../../clients/index.js';
import type { SettingsUpdate, SiteSettings } from './settings.schemas.js';

type Reference = NonNullable<SiteSettings['logo']>;

/** The settings that select a media item, by their keys (document 1, Media 3). */
export function mediaSettingsOf({
  logo,
  favicon,
  seo,
}: Pick<Partial<SettingsUpdate>, 'logo' | 'favicon' | 'seo'>): contentApi.MediaSetting[] {
  const selected = { logo, favicon, 'seo.defaultOgImage': seo?.defaultOgImage };
  return Object.entries(selected).flatMap(([setting, item]) =>
    item ? [{ setting, mediaId: item.mediaId }] : [],
  );
}

/**
 * Settings with the addresses of the media that they select; of those that are gone, the id alone (contract 6,
 * MediaRef).
 */
export async function withMediaFiles(
  ctx: Context,
  media: MediaClient,
  settings: SiteSettings,
): Promise<SiteSettings> {
  const ids = mediaSettingsOf(settings).map(({ mediaId }) => mediaId);
  const files = await media.byIdsOrEmpty(ctx, ids);
  const { logo, favicon, seo } = settings;
  const shown = (reference: Reference) => withFile(reference, files.get(reference.mediaId));
  return {
    ...settings,
    ...(logo && { logo: shown(logo) }),
    ...(favicon && { favicon: shown(favicon) }),
    ...(seo?.defaultOgImage && { seo: { ...seo, defaultOgImage: shown(seo.defaultOgImage) } }),
  };
}

function withFile(reference: Reference, file: mediaApi.MediaFile | undefined): Reference {
  if (!file) return reference;
  const { url, mimeType: contentType, width, height } = file;
  return {
    ...reference,
    url,
    contentType,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
  };
}
