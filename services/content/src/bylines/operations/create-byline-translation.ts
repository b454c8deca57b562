import type { Context } from '@quire/context';
import type { BylineSummary } from '../credits/index.js';
import type { Locales } from '../../locales/index.js';
import { lockSource, toBylineConflictError } from '../bylines.repository.js';
import type { BylineTranslationInput } from '../bylines.schemas.js';
import { insertByline } from '../insert-byline.js';
import { valueOrSource } from './create-byline.js';

/**
 * Makes a byline in one more locale. It has slug, name, avatar and site of the other unless they are sent, no biography
 * of its own yet, and is linked to no user (contract 35). Values of fields that are not translatable are those of all
 * locales.
 * @throws QuireError NOT_FOUND, CONFLICT (the slug in this locale, or the group has the locale), VALIDATION_ERROR
 *   (locale).
 */
export async function createBylineTranslation(
  ctx: Context,
  locales: Locales,
  id: string,
  input: BylineTranslationInput,
): Promise<BylineSummary> {
  const locale = locales.stored(input.locale);
  try {
    return await ctx.db.transaction(async (tx) => {
      const source = await lockSource(tx, id, locales.default);
      const byline = {
        slug: input.slug ?? source.slug,
        displayName: input.displayName ?? source.displayName,
        bio: input.bio ?? null,
        avatarMediaId: valueOrSource(input.avatarMediaId, source.avatarMediaId),
        websiteUrl: valueOrSource(input.websiteUrl, source.websiteUrl),
        userId: null,
        isGuest: source.isGuest,
        locale,
      };
      const values = { own: {}, shared: source.sharedFields };
      return insertByline(tx, byline, values, source.translationGroup);
    });
  } catch (error) {
    throw toBylineConflictError(error);
  }
}
