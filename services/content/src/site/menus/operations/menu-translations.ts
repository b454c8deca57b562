import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { Locales } from '../../../locales/index.js';
import type { MenuAddress } from '../change-menu.js';
import { selectTranslationGroup, selectTranslations } from '../menus.repository.js';
import type { MenuResponse, MenuTranslations } from '../menus.schemas.js';
import { createMenu } from './create-menu.js';
import { getMenu } from './get-menu.js';

/** Every locale of a menu, by the id of one of them or of their group. @throws QuireError NOT_FOUND. */
export async function listMenuTranslations(ctx: Context, id: string): Promise<MenuTranslations> {
  const translationGroup = await selectTranslationGroup(ctx.db, id);
  if (translationGroup === undefined) throw notFound('menu');
  return { translationGroup, translations: await selectTranslations(ctx.db, translationGroup) };
}

/**
 * Makes a menu of the same name in another locale, with a copy of the items.
 * @throws QuireError NOT_FOUND, CONFLICT when there is one already, VALIDATION_ERROR (locale).
 */
export async function translateMenu(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  { locale, label }: { locale: string; label?: string | undefined },
): Promise<MenuResponse> {
  const source = await getMenu(ctx, locales, address);
  const { id, name } = source;
  return createMenu(ctx, locales, { name, label: label ?? source.label, locale, translationOf: id });
}
