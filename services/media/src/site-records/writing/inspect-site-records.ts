import type { Context } from '@quire/context';
import type { ResponseOf, siteRecords } from '@quire/internal-api';

/**
 * The media items and folders of the site, which a new site has none of. Declared uploads without bytes do not count:
 * they are deleted with the scaffold.
 */
export async function inspectSiteRecords({
  db,
}: Context): Promise<ResponseOf<typeof siteRecords.media.inspect>> {
  const [row] = await db.query<{ items: number; folders: number }>(
    `SELECT (SELECT count(*) FROM media_items WHERE status = 'ready')::float8 AS items,
       (SELECT count(*) FROM media_folders)::float8 AS folders`,
  );
  const counts = [
    { kind: 'media_folders', count: row?.folders ?? 0 },
    { kind: 'media_items', count: row?.items ?? 0 },
  ] as const;
  return { blockers: counts.filter(({ count }) => count > 0), scaffold: [] };
}
