import type { Context } from '@quire/context';
import type { MediaClient } from '../../../clients/index.js';
import { withMediaFiles } from '../media-settings.js';
import { selectSettings } from '../settings.repository.js';
import type { SiteSettings } from '../settings.schemas.js';

/** The settings of the site, with the media that they select; `{}` before anything was set (contract 21). */
export async function getSettings(ctx: Context, media: MediaClient): Promise<SiteSettings> {
  return withMediaFiles(ctx, media, await selectSettings(ctx.db));
}
