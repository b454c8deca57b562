import { eventually } from './eventually.js';
import type { Site } from './open-site.js';

/** Objects of a site's media with a pending deletion. */
export const pendingObjectDeletions = (site: Site): Promise<object[]> =>
  site.sql('SELECT object_key FROM cms_media.object_deletions WHERE tenant_id = $1', [site.tenant]);

/** Makes pending deletions due immediately. @returns those that remain after a while */
export async function deletePendingObjects(site: Site): Promise<object[]> {
  await site.sql('UPDATE cms_media.object_deletions SET due_at = now() WHERE tenant_id = $1', [site.tenant]);
  return eventually(
    () => pendingObjectDeletions(site),
    (left) => left.length === 0,
    60_000,
  );
}
