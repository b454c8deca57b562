import type { Context } from '@quire/context';
import type { BylineSummary } from '../../credits/index.js';
import type { Locales } from '../../locales/index.js';
import type { UserDirectory } from '../../users/index.js';
import { holdFields } from '../byline-fields.repository.js';
import { holdSource, namedBylineConflict } from '../bylines.repository.js';
import type { BylineInput } from '../bylines.schemas.js';
import { writtenValues } from '../custom-fields.policy.js';
import { insertByline } from '../insert-byline.js';
import { checkedLink } from '../linked-user.js';

/**
 * Makes a byline, in the default locale unless the input says which; with `translationOf` as one more locale of another,
 * which lends it avatar and site where they are not sent (contract 35).
 * @throws QuireError VALIDATION_ERROR (locale, user, custom fields), NOT_FOUND (translationOf), CONFLICT (the slug in this
 * locale, or the group has the locale).
 */
export async function createByline(
  ctx: Context,
  { locales, users }: { locales: Locales; users: UserDirectory },
  input: BylineInput,
): Promise<BylineSummary> {
  const locale = input.locale === undefined ? locales.default : locales.stored(input.locale);
  const link = await checkedLink(ctx, users, input);
  try {
    return await ctx.db.transaction(async (tx) => {
      const fields = await holdFields(tx, 'FOR SHARE');
      const { translationOf } = input;
      const source =
        translationOf === undefined ? undefined : await holdSource(tx, translationOf, locales.default);
      const stored = { own: {}, shared: source?.sharedFields ?? {} };
      const values = writtenValues(fields, stored, input.customFields ?? {}, 'create');
      const byline = {
        slug: input.slug,
        displayName: input.displayName,
        bio: input.bio ?? null,
        avatarMediaId: sentOr(input.avatarMediaId, source?.avatarMediaId),
        websiteUrl: sentOr(input.websiteUrl, source?.websiteUrl),
        userId: link.userId ?? null,
        isGuest: link.isGuest ?? source?.isGuest ?? false,
        locale,
      };
      return insertByline(tx, byline, values, source?.translationGroup);
    });
  } catch (error) {
    throw namedBylineConflict(error);
  }
}

/** What is sent, null included, else what the source has. */
export function sentOr(sent: string | null | undefined, source: string | null | undefined): string | null {
  return (sent === undefined ? source : sent) ?? null;
}
