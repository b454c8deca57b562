import type { Context } from '@quire/context';
import type { MediaDirectory } from '../../media/index.js';
import { withMedia } from '../media-settings.js';
import { readSettings } from '../settings.repository.js';
import type { SiteSettings } from '../settings.schemas.js';

/** The settings of the site, with the media that they select; `{}` before anything was set (contract 21). */
export async function getSettings(ctx: Context, media: MediaDirectory): Promise<SiteSettings> {
  return withMedia(ctx, media, await readSettings(ctx.db));
}
