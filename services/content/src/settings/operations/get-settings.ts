import type { Context } from '@quire/context';
import { readSettings } from '../settings.repository.js';
import type { SiteSettings } from '../settings.schemas.js';

/** The settings of the site; `{}` before anything was set (contract 21). */
export async function getSettings(ctx: Context): Promise<SiteSettings> {
  return readSettings(ctx.db);
}
