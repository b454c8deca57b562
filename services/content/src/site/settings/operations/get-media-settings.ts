import type { Context } from '@quire/context';
import type { contentApi, ResponseOf } from '@quire/internal-api';
import { mediaSettingsOf } from '../media-settings.js';
import { selectSettings } from '../settings.repository.js';

/** The settings that select media items (document 1, Media 3). */
export async function getMediaSettings(
  ctx: Context,
): Promise<ResponseOf<typeof contentApi.getMediaSettings>> {
  return { selected: mediaSettingsOf(await selectSettings(ctx.db)) };
}
