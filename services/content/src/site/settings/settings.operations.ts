import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import type { contentApi, mediaApi, ResponseOf } from '@quire/internal-api';
import type { MediaClient } from '../../clients/index.js';
import { lockSettings, selectSettings, upsertSettings, type SettingChange } from './settings.repository.js';
import { updateSettingsBody, type SettingsUpdate, type SiteSettings } from './settings.schemas.js';

type MediaReference = NonNullable<SiteSettings['logo']>;

/** Settings that are objects of settings: merged key by key (decision 27). */
const groups = ['social', 'seo'] as const;

/** @returns the settings of the site with their media; `{}` while none has a value (contract 21). */
export async function getSettings(ctx: Context, media: MediaClient): Promise<SiteSettings> {
  return withMediaFiles(ctx, media, await selectSettings(ctx.db));
}

/**
 * Updates the given settings and leaves the others unchanged. Null clears one, also inside `social` and `seo`, and null
 * for one of these groups clears the whole group; an empty `url` clears it. The update is stored as a whole or not at
 * all (contract 21).
 * @returns all settings after the update.
 * @throws QuireError VALIDATION_ERROR when a setting selects an unknown media item, SERVICE_UNAVAILABLE.
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
    await lockSettings(tx, ctx.principal.tenant.id);
    await upsertSettings(tx, changes);
    const changed = changes.map(([setting]) => setting);
    await audit(ctx, tx, { action: 'settings.updated', target: null, details: { settings: changed } });
    return selectSettings(tx);
  });
  return withMediaFiles(ctx, media, settings);
}

/** The update with null in the place of empty texts, also inside `social` and `seo`: it clears them. */
export function clearingEmptyTexts({
  social,
  seo,
  ...single
}: Partial<SettingsUpdate>): Partial<SettingsUpdate> {
  return {
    ...withoutEmptyTexts(single),
    ...(social && { social: withoutEmptyTexts(social) }),
    ...(seo && { seo: withoutEmptyTexts(seo) }),
  };
}

/** @returns the title of the site, for e-mails and pages of other services. */
export async function getSiteTitle(ctx: Context): Promise<ResponseOf<typeof contentApi.getSiteTitle>> {
  const { title } = await selectSettings(ctx.db);
  return { title };
}

/** @returns title and tagline of the site, which an import may keep. */
export async function getSiteNames(ctx: Context): Promise<ResponseOf<typeof contentApi.getSiteNames>> {
  const { title, tagline } = await selectSettings(ctx.db);
  return { title, tagline };
}

function changesOf(update: Partial<SettingsUpdate>): SettingChange[] {
  const { social, seo, url, ...single } = update;
  return [
    ...changesIn('', { ...single, ...withoutEmptyTexts({ url }) }),
    ...groups.flatMap((group) => {
      const values = { social, seo }[group];
      return changesIn(`${group}.`, values === null ? clearedGroup(group) : (values ?? {}));
    }),
  ];
}

function withoutEmptyTexts<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).map(([key, value]) => [
    key,
    value === '' ? null : (value as unknown),
  ]);
  return Object.fromEntries(entries) as Values;
}

/** The changes of the given keys; null clears a setting. */
function changesIn(prefix: string, values: object): SettingChange[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [prefix + key, value ?? undefined]);
}

function clearedGroup(group: (typeof groups)[number]): Record<string, null> {
  const { shape } = updateSettingsBody.shape[group].unwrap().unwrap();
  return Object.fromEntries(Object.keys(shape).map((key) => [key, null]));
}

/** The settings that select a media item, by their keys (document 1, Media 3). */
function mediaSettingsOf({
  logo,
  favicon,
  seo,
}: Pick<Partial<SettingsUpdate>, 'logo' | 'favicon' | 'seo'>): contentApi.MediaSetting[] {
  const selected = { logo, favicon, 'seo.defaultOgImage': seo?.defaultOgImage };
  return Object.entries(selected).flatMap(([setting, item]) =>
    item ? [{ setting, mediaId: item.mediaId }] : [],
  );
}

/** Adds the addresses of selected media; a deleted item keeps its id only (contract 6, MediaRef). */
async function withMediaFiles(
  ctx: Context,
  media: MediaClient,
  settings: SiteSettings,
): Promise<SiteSettings> {
  const ids = mediaSettingsOf(settings).map(({ mediaId }) => mediaId);
  const files = await media.byIdsOrEmpty(ctx, ids);
  const { logo, favicon, seo } = settings;
  const toResponse = (reference: MediaReference) => withFile(reference, files.get(reference.mediaId));
  return {
    ...settings,
    ...(logo && { logo: toResponse(logo) }),
    ...(favicon && { favicon: toResponse(favicon) }),
    ...(seo?.defaultOgImage && { seo: { ...seo, defaultOgImage: toResponse(seo.defaultOgImage) } }),
  };
}

function withFile(reference: MediaReference, file: mediaApi.MediaFile | undefined): MediaReference {
  if (!file) return reference;
  const { url, mimeType: contentType, width, height } = file;
  return {
    ...reference,
    url,
    contentType,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
  };
}
