import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import type { MediaClient } from '../../../clients/index.js';
import { mediaSettingsOf, withMediaFiles } from '../media-settings.js';
import { selectSettings, upsertSettings, type SettingChange } from '../settings.repository.js';
import { updateSettingsBody, type SettingsUpdate, type SiteSettings } from '../settings.schemas.js';

/** Settings that are objects of settings: merged key by key (decision 27). */
const groups = ['social', 'seo'] as const;

/**
 * Changes the settings that are sent and leaves the others as they are: null clears one, inside `social` and `seo` as
 * well, and null for the whole of these clears all of it; an empty `url` clears it. All or nothing is stored (contract
 * 21).
 * @returns all settings after the change.
 * @throws QuireError VALIDATION_ERROR when a setting selects what is no media item; SERVICE_UNAVAILABLE when that
 * cannot be found out now.
 */
export async function updateSettings(
  ctx: Context,
  media: MediaClient,
  update: Partial<SettingsUpdate>,
): Promise<SiteSettings> {
  const selected = mediaSettingsOf(update);
  await media.assertAllExist(
    ctx,
    selected.map(({ setting, mediaId }) => ({ path: `${setting}.mediaId`, mediaId })),
  );
  const changes = changesOf(update);
  const settings = await ctx.db.transaction(async (tx) => {
    // Writers take turns: rows locked in different orders would end one of them as a deadlock.
    const lockKey = `settings:${ctx.principal.tenant.id}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKey]);
    await upsertSettings(tx, changes);
    const changed = changes.map(([setting]) => setting);
    await audit(ctx, tx, { action: 'settings.updated', target: null, details: { settings: changed } });
    return selectSettings(tx);
  });
  return withMediaFiles(ctx, media, settings);
}

function changesOf(update: Partial<SettingsUpdate>): SettingChange[] {
  const { social, seo, url, ...single } = update;
  return [
    ...changesIn('', { ...single, url: url === '' ? null : url }),
    ...groups.flatMap((group) => {
      const sent = { social, seo }[group];
      return changesIn(`${group}.`, sent === null ? clearedGroup(group) : (sent ?? {}));
    }),
  ];
}

/** Keys that are not sent change nothing; null clears. */
function changesIn(prefix: string, sent: object): SettingChange[] {
  return Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [prefix + key, value ?? undefined]);
}

function clearedGroup(group: (typeof groups)[number]): Record<string, null> {
  const { shape } = updateSettingsBody.shape[group].unwrap().unwrap();
  return Object.fromEntries(Object.keys(shape).map((key) => [key, null]));
}
