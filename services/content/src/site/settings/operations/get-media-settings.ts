import type { Context } from '@quire/context';
import { mediaSettingsOf } from '../media-settings.js';
import { selectSettings } from '../settings.repository.js';

/** Which settings select which media items (document 1, Media 3). */
export async function getMediaSettings(
  ctx: Context,
): Promise<{ selected: { setting: string; mediaId: string }[] }> {
  return { selected: mediaSettingsOf(await selectSettings(ctx.db)) };
}
