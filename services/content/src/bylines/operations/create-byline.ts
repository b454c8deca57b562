import type { Context } from '@quire/context';
import type { BylineSummary } from '../credits/index.js';
import type { Locales } from '../../locales/index.js';
import type { AuthClient } from '../../clients/index.js';
import { lockBylineFields } from '../byline-fields.repository.js';
import { lockSource, toBylineConflictError } from '../bylines.repository.js';
import type { BylineInput } from '../bylines.schemas.js';
import { validateCustomValues } from '../custom-fields.policy.js';
import { insertByline } from '../insert-byline.js';
import { validateUserLink } from '../user-link.js';

/**
 * Makes a byline, in the default locale unless the input says which; with `translationOf` as one more locale of
 * another, which lends it avatar and site where they are not sent (contract 35).
 * @throws QuireError VALIDATION_ERROR (locale, user, custom fields), NOT_FOUND (translationOf), CONFLICT (the slug in
 * this locale, or the group has the locale).
 */
export async function createByline(
  ctx: Context,
  { locales, users }: { locales: Locales; users: AuthClient },
  input: BylineInput,
): Promise<BylineSummary> {
  const locale = input.locale === undefined ? locales.default : locales.stored(input.locale);
  const link = await validateUserLink(ctx, users, input);
  try {
    return await ctx.db.transaction(async (tx) => {
      const fields = await lockBylineFields(tx, 'FOR SHARE');
      const { translationOf } = input;
      const source =
        translationOf === undefined ? undefined : await lockSource(tx, translationOf, locales.default);
      const stored = { own: {}, shared: source?.sharedFields ?? {} };
      const values = validateCustomValues(fields, stored, input.customFields ?? {}, 'create');
      const byline = {
        slug: input.slug,
        displayName: input.displayName,
        bio: input.bio ?? null,
        avatarMediaId: valueOrSource(input.avatarMediaId, source?.avatarMediaId),
        websiteUrl: valueOrSource(input.websiteUrl, source?.websiteUrl),
        userId: link.userId ?? null,
        isGuest: link.isGuest ?? source?.isGuest ?? false,
        locale,
      };
      return insertByline(tx, byline, values, source?.translationGroup);
    });
  } catch (error) {
    throw toBylineConflictError(error);
  }
}

/** What is sent, null included, else what the source has. */
export function valueOrSource(
  sent: string | null | undefined,
  source: string | null | undefined,
): string | null {
  return (sent === undefined ? source : sent) ?? null;
}
