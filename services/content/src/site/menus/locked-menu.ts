import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { inLocale, type Locales } from '../../locales/index.js';
import { lockMenus, updateMenuRow, type StoredMenu } from './menus.repository.js';

/** Names a menu; menus of several locales may share the name. */
export interface MenuAddress {
  name: string;
  locale?: string | undefined;
}

/** The locale of an address, in any spelling. @throws QuireError VALIDATION_ERROR for a malformed one. */
export function localeOf(locales: Locales, { locale }: MenuAddress): string | undefined {
  return locale === undefined ? undefined : locales.requested(locale);
}

/**
 * Runs a change with the menu's row locked: changes of its items run one after the other, so that concurrent changes
 * cannot close a cycle.
 * @throws QuireError NOT_FOUND, AMBIGUOUS_LOCALE when the name has several locales and none is given, and what `change`
 *   throws.
 */
export async function withLockedMenu<Result>(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  change: (tx: Transaction, menu: StoredMenu) => Promise<Result>,
): Promise<Result> {
  const locale = localeOf(locales, address);
  return ctx.db.transaction(async (tx) => {
    const menus = await lockMenus(tx, address.name, locale);
    if (locale === undefined && menus.length > 1) throw ambiguousLocaleError(address.name, menus);
    const menu = locale === undefined ? menus[0] : inLocale(menus, locale);
    if (!menu) throw notFound('menu');
    return change(tx, menu);
  });
}

/** `withLockedMenu` for changes of its items, which also update the menu's `updatedAt`. */
export async function withLockedMenuItems<Result>(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  change: (tx: Transaction, menu: StoredMenu) => Promise<Result>,
): Promise<Result> {
  return withLockedMenu(ctx, locales, address, async (tx, menu) =>
    change(tx, await updateMenuRow(tx, menu.id)),
  );
}

function ambiguousLocaleError(name: string, menus: readonly StoredMenu[]): QuireError {
  const found = menus.map(({ locale }) => locale).sort();
  return new QuireError('AMBIGUOUS_LOCALE', `'${name}' exists in ${found.join(', ')}: name a locale`);
}
