import type { Context } from '@quire/context';
import { readSettings } from '../settings.repository.js';

/** A setting, by its key, that selects a media item. */
export interface MediaSetting {
  setting: string;
  mediaId: string;
}

/** Which settings select which media items (document 1, Media 3): the logo, the icon, and the image for shared links. */
export async function getMediaSettings(ctx: Context): Promise<{ selected: MediaSetting[] }> {
  const { logo, favicon, seo } = await readSettings(ctx.db);
  const selected = { logo, favicon, 'seo.defaultOgImage': seo?.defaultOgImage };
  return {
    selected: Object.entries(selected).flatMap(([setting, item]) =>
      item ? [{ setting, mediaId: item.mediaId }] : [],
    ),
  };
}
