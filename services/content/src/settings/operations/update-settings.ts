import type { Context } from '@quire/context';
import { readSettings, writeSettings, type SettingChange } from '../settings.repository.js';
import { updateSettingsBody, type SettingsUpdate, type SiteSettings } from '../settings.schemas.js';

/** Settings that are objects of settings: merged key by key (decision 27). */
const groups = ['social', 'seo'] as const;

/**
 * Changes the settings that are sent and leaves the others as they are: null clears one, inside `social` and `seo` as well,
 * and null for the whole of these clears all of it; an empty `url` clears it. All or nothing is stored (contract 21). That
 * the media items exist is not checked: they belong to the media service.
 * @returns all settings after the change.
 */
export async function updateSettings(ctx: Context, update: Partial<SettingsUpdate>): Promise<SiteSettings> {
  const changes = changesOf(update);
  return ctx.db.transaction(async (tx) => {
    // Writers take turns: rows locked in different orders would end one of them as a deadlock.
    const turn = `settings:${ctx.principal.tenant.id}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [turn]);
    await writeSettings(tx, changes);
    return readSettings(tx);
  });
}

function changesOf(update: Partial<SettingsUpdate>): SettingChange[] {
  const { social, seo, url, ...single } = update;
  return [
    ...changesIn('', { ...single, url: url === '' ? null : url }),
    ...groups.flatMap((group) => {
      const sent = { social, seo }[group];
      return changesIn(`${group}.`, sent === null ? allCleared(group) : (sent ?? {}));
    }),
  ];
}

/** Keys that are not sent change nothing; null clears. */
function changesIn(prefix: string, sent: object): SettingChange[] {
  return Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [prefix + key, value ?? undefined]);
}

function allCleared(group: (typeof groups)[number]): Record<string, null> {
  const { shape } = updateSettingsBody.shape[group].unwrap().unwrap();
  return Object.fromEntries(Object.keys(shape).map((key) => [key, null]));
}
