import type { Context } from '@quire/context';
import { cursorScope, hasSqlState, KeysetPage, sqlState, type Transaction } from '@quire/database';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';
import type { Locales } from '../locales/index.js';
import { lockBylineFields } from './byline-fields.repository.js';
import {
  bylineOrder,
  deleteBylineWithCredits,
  insertByline,
  isUserLinked,
  lockByline,
  lockTranslationSource,
  selectByline,
  selectBylines,
  selectBylinesOfGroup,
  toBylineConflictError,
  updateBylineRow,
  updateSharedFields,
} from './bylines.repository.js';
import type { BylineInput, BylineQuery, BylineTranslationInput, BylineUpdate } from './bylines.schemas.js';
import type { BylineSummary } from './credits/index.js';
import { validateCustomValues } from './custom-fields.policy.js';

/** A byline deletion and a write that credits the byline can deadlock; the deletion is retried. */
const maxDeleteAttempts = 5;

/**
 * @returns one page of bylines, newest first; `search` matches names and slugs (contract 35).
 * @throws QuireError INVALID_CURSOR, VALIDATION_ERROR (a malformed locale).
 */
export async function listBylines(
  ctx: Context,
  locales: Locales,
  { cursor, limit, ...query }: BylineQuery,
): Promise<{ items: BylineSummary[]; nextCursor?: string }> {
  const locale = query.locale === undefined ? undefined : locales.requested(query.locale);
  const filters = { ...query, locale };
  const scope = cursorScope({ operation: 'listBylines', tenant: ctx.principal.tenant.id, filters });
  const page = new KeysetPage(bylineOrder, scope, { cursor, limit });
  const rows = await selectBylines(ctx.db, filters, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

/** @returns one byline (contract 35). @throws QuireError NOT_FOUND. */
export function getByline(ctx: Context, id: string): Promise<BylineSummary> {
  return selectByline(ctx.db, id);
}

/**
 * @param id of one byline, or of the group
 * @returns the bylines of a translation group by locale (spec document 2).
 * @throws QuireError NOT_FOUND.
 */
export async function listBylineTranslations(ctx: Context, id: string): Promise<{ items: BylineSummary[] }> {
  const items = await selectBylinesOfGroup(ctx.db, id);
  if (items.length === 0) throw notFound('byline');
  return { items };
}

/** How a byline is linked to a user. */
export interface UserLinkRules {
  /**
   * True for the tools (contract of tools, 5): a user has one byline a locale, and a translation is linked to the user
   * of its source unless the input says otherwise. The panel links any number of bylines to a user (contract 35).
   */
  hasOneByline?: boolean;
}

/**
 * Creates a byline, in the default locale unless the input has one. With `translationOf` the byline joins the group of
 * another, whose avatar and website it takes where the input has none (contract 35).
 * @throws QuireError VALIDATION_ERROR (locale, user, custom fields), NOT_FOUND (`translationOf`), CONFLICT (the slug is
 *   taken in this locale, the group has the locale, or the user has a byline in it), SERVICE_UNAVAILABLE.
 */
export async function createByline(
  ctx: Context,
  { locales, users }: { locales: Locales; users: AuthClient },
  input: BylineInput,
  { hasOneByline = false }: UserLinkRules = {},
): Promise<BylineSummary> {
  if (input.translationOf !== undefined && input.locale === undefined)
    throw invalidInput([{ path: 'locale', message: 'a translation needs the locale it is for' }]);
  const locale = input.locale === undefined ? locales.default : locales.stored(input.locale);
  const { userId: givenUser, isGuest } = await resolveUserLink(ctx, users, input);
  return withConflictError(() =>
    ctx.db.transaction(async (tx) => {
      const fields = await lockBylineFields(tx, 'FOR SHARE');
      const { translationOf } = input;
      const source =
        translationOf === undefined
          ? undefined
          : await lockTranslationSource(tx, translationOf, locales.default);
      const stored = { own: {}, shared: source?.sharedFields ?? {} };
      const values = validateCustomValues(fields, stored, input.customFields ?? {}, 'create');
      const userId = valueOrSource(givenUser, hasOneByline ? source?.userId : null);
      if (hasOneByline) await assertUserHasNone(ctx, tx, { userId, locale });
      const byline = {
        slug: input.slug,
        displayName: input.displayName,
        bio: input.bio ?? null,
        avatarMediaId: valueOrSource(input.avatarMediaId, source?.avatarMediaId),
        websiteUrl: valueOrSource(input.websiteUrl, source?.websiteUrl),
        userId,
        isGuest: isGuest ?? source?.isGuest ?? false,
        locale,
      };
      return insertByline(tx, byline, values, source?.translationGroup);
    }),
  );
}

/**
 * Creates the byline of another locale. It copies slug, name, avatar and website of the source unless the input has
 * them, has no biography and is linked to no user (contract 35). It shares the group's values of fields that are not
 * translatable.
 * @param id of the source, or of its group
 * @throws QuireError NOT_FOUND, CONFLICT (the slug is taken in this locale, or the group has the locale),
 *   VALIDATION_ERROR (locale).
 */
export async function createBylineTranslation(
  ctx: Context,
  locales: Locales,
  { id, translation }: { id: string; translation: BylineTranslationInput },
): Promise<BylineSummary> {
  const locale = locales.stored(translation.locale);
  return withConflictError(() =>
    ctx.db.transaction(async (tx) => {
      const source = await lockTranslationSource(tx, id, locales.default);
      const byline = {
        slug: translation.slug ?? source.slug,
        displayName: translation.displayName ?? source.displayName,
        bio: translation.bio ?? null,
        avatarMediaId: valueOrSource(translation.avatarMediaId, source.avatarMediaId),
        websiteUrl: valueOrSource(translation.websiteUrl, source.websiteUrl),
        userId: null,
        isGuest: source.isGuest,
        locale,
      };
      return insertByline(tx, byline, { own: {}, shared: source.sharedFields }, source.translationGroup);
    }),
  );
}

/**
 * Updates the given properties of a byline; null clears one. Values of fields that are not translatable change in all
 * its locales (contract 35).
 * @throws QuireError NOT_FOUND, CONFLICT (the slug is taken in this locale, or the user has a byline in it),
 *   VALIDATION_ERROR (user, custom fields), SERVICE_UNAVAILABLE.
 */
export async function updateByline(
  ctx: Context,
  users: AuthClient,
  { id, update: { customFields, ...properties } }: { id: string; update: BylineUpdate },
  { hasOneByline = false }: UserLinkRules = {},
): Promise<BylineSummary> {
  const link = await resolveUserLink(ctx, users, properties);
  return withConflictError(() =>
    ctx.db.transaction(async (tx) => {
      const fields = customFields === undefined ? [] : await lockBylineFields(tx, 'FOR SHARE');
      const byline = await lockByline(tx, id, 'FOR NO KEY UPDATE');
      const stored = { own: byline.customFields, shared: byline.sharedFields };
      const values = customFields && validateCustomValues(fields, stored, customFields, 'update');
      if (values) await updateSharedFields(tx, byline.translationGroup, values.shared);
      if (hasOneByline) await assertUserHasNone(ctx, tx, { ...link, locale: byline.locale }, id);
      await updateBylineRow(tx, id, { ...properties, ...link, customFields: values?.own });
      return selectByline(tx, id);
    }),
  );
}

/**
 * Deletes a byline. The last byline of a group takes the group's credits with it; an entry whose primary byline it was
 * gets its next credit as the primary one (spec document 2; contract 35).
 * @throws QuireError NOT_FOUND.
 */
export async function deleteByline(ctx: Context, id: string): Promise<{ deleted: true }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ctx.db.transaction((tx) => deleteBylineWithCredits(tx, ctx.principal.tenant.id, id));
      return { deleted: true };
    } catch (error) {
      if (!hasSqlState(error, sqlState.deadlock) || attempt >= maxDeleteAttempts) throw error;
    }
  }
}

/** @returns the given value, null included, else that of the source. */
function valueOrSource(given: string | null | undefined, source: string | null | undefined): string | null {
  return (given === undefined ? source : given) ?? null;
}

interface UserLink {
  userId?: string | null | undefined;
  isGuest?: boolean | undefined;
}

/**
 * A byline is a guest's or linked to a user (spec document 2): a user clears `isGuest`, and a guest has no user.
 * @returns the columns to write; an undefined one keeps its value.
 * @throws QuireError VALIDATION_ERROR (both given, or no such user), SERVICE_UNAVAILABLE.
 */
async function resolveUserLink(
  ctx: Context,
  users: AuthClient,
  { userId, isGuest }: UserLink,
): Promise<UserLink> {
  if (typeof userId !== 'string') return isGuest ? { userId: null, isGuest } : { userId, isGuest };
  if (isGuest)
    throw invalidInput([{ path: 'isGuest', message: 'must be false for a byline that is linked to a user' }]);
  const known = await users.byIds(ctx, [userId]);
  if (known.length === 0) throw invalidInput([{ path: 'userId', message: `'${userId}' is not a user` }]);
  return { userId, isGuest: false };
}

/** @param except the byline that is linked to the user. @throws QuireError CONFLICT. */
async function assertUserHasNone(
  ctx: Context,
  tx: Transaction,
  { userId, locale }: { userId?: string | null | undefined; locale: string },
  except: string | null = null,
): Promise<void> {
  if (typeof userId !== 'string') return;
  const user = { tenantId: ctx.principal.tenant.id, userId, locale };
  if (await isUserLinked(tx, user, except))
    throw new QuireError('CONFLICT', 'userId: the user already has a byline in this locale');
}

async function withConflictError<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw toBylineConflictError(error);
  }
}
