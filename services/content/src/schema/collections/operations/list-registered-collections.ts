import type { Context } from '@quire/context';
import type { contentApi } from '@quire/internal-api';

/** All collections of the site, by slug. */
export function listRegisteredCollections(ctx: Context): Promise<contentApi.RegisteredCollection[]> {
  return ctx.db.query<contentApi.RegisteredCollection>('SELECT id, slug FROM collections ORDER BY slug');
}
