import type { TestEntry } from './entry.js';
import type { Site } from './open-site.js';

/**
 * Moves the schedules of entries into the past, the first one farthest. Their delayed jobs keep the old time, so that
 * only the sweep publishes the entries.
 */
export async function makeOverdue(site: Site, ...entries: TestEntry[]): Promise<void> {
  for (const [index, { id, path }] of entries.entries()) {
    const due = new Date(Date.now() - 60_000 + 1_000 * index).toISOString();
    const [, , collection] = path.split('/');
    await site.sql(`UPDATE content_${collection} SET scheduled_at = $2 WHERE id = $1`, [id, due]);
    await site.sql(
      'UPDATE cms_content.schedules SET scheduled_at = $2, due_at = $2 WHERE tenant_id = $3 AND entry_id = $1',
      [id, due, site.tenant],
    );
  }
}
