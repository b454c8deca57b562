import { storableText } from '@quire/operation';
import { isAllowedUrl } from '@quire/values';
import { z } from 'zod';
import { menuItemTypes } from './menu-item.entity.js';

/** Limits the items of one response and one reorder. */
export const maxItems = 1_000;
/** Leaves room for items appended after the last. */
const maxSortOrder = 1_000_000_000;

const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'must consist of a-z, 0-9, _ and -, and begin with a letter or digit');
const label = storableText(z.string().max(500)).refine((value) => value.trim() !== '', 'must not be blank');
const locale = z.string().max(64);
const rowId = storableText(z.string().min(1).max(64));
const sortOrder = z.number().int().min(0).max(maxSortOrder);
/** "" and null clear the value. */
const optionalText = (maxLength: number) =>
  storableText(z.string().max(maxLength))
    .transform((value) => (value === '' ? null : value))
    .nullish();
/** A link that pages may show (contract 18, safeHref). */
const customUrl = storableText(z.string().trim().max(2_048))
  .refine(isAllowedUrl, 'must be an http(s), mailto or tel link, a path or a fragment')
  .nullish();

/** Whether a new menu that is a translation names its locale. */
export function hasLocaleOfTranslation({ locale, translationOf }: Partial<MenuInput>): boolean {
  return translationOf === undefined || locale !== undefined;
}
export const missingLocale = { path: ['locale'], message: 'is required with translationOf' };

export const menuParams = z.object({ name: storableText(z.string().max(512)) });
export const itemParams = menuParams.extend({ id: storableText(z.string().max(512)) });
export const localeQuery = z.object({ locale: locale.optional() });

export const createMenuBody = z
  .strictObject({ name, label, locale: locale.optional(), translationOf: rowId.optional() })
  .refine(hasLocaleOfTranslation, missingLocale);

export const updateMenuBody = z.strictObject({ label: label.optional() });
export const translateMenuBody = z.strictObject({ locale, label: label.optional() });

const appearance = {
  customUrl,
  titleAttr: optionalText(500),
  target: optionalText(50),
  cssClasses: optionalText(500),
};
const newItem = {
  type: z.enum(menuItemTypes),
  label,
  referenceCollection: optionalText(63),
  referenceId: optionalText(64),
  ...appearance,
};

/** An item in a list that replaces all items of a menu. */
export const listedItem = {
  ...newItem,
  /** The index of its parent in the list. */
  parentIndex: z.number().int().min(0).optional(),
};

export const createItemBody = z.strictObject({
  ...newItem,
  parentId: rowId.nullish(),
  sortOrder: sortOrder.optional(),
});

export const updateItemBody = z.strictObject({
  ...appearance,
  label: label.optional(),
  parentId: rowId.nullish(),
  sortOrder: sortOrder.optional(),
});

export const reorderItemsBody = z.object({
  items: z.array(z.object({ id: rowId, parentId: rowId.nullable(), sortOrder })).max(maxItems),
});

export const setItemsBody = z.strictObject({
  items: z.array(z.strictObject(listedItem)).max(maxItems),
});

const menu = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  locale: z.string(),
  translationGroup: z.string().nullable(),
});

export const itemSchema = z
  .object({
    id: z.string(),
    menuId: z.string(),
    parentId: z.string().nullable(),
    sortOrder: z.number().int(),
    type: z.enum(menuItemTypes),
    referenceCollection: z.string().nullable(),
    referenceId: z.string().nullable(),
    customUrl: z.string().nullable(),
    label: z.string(),
    titleAttr: z.string().nullable(),
    target: z.string().nullable(),
    cssClasses: z.string().nullable(),
    createdAt: z.string(),
    locale: z.string(),
    translationGroup: z.string().nullable(),
  })
  .meta({ id: 'MenuItem' });

export const menuSchema = menu.meta({ id: 'Menu' });
export const menuListItemSchema = menu.extend({ itemCount: z.number().int() }).meta({ id: 'MenuListItem' });
export const menuWithItemsSchema = menu.extend({ items: z.array(itemSchema) }).meta({ id: 'MenuWithItems' });
export const translationsSchema = z.object({
  translationGroup: z.string(),
  translations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      label: z.string(),
      locale: z.string(),
      updatedAt: z.string(),
    }),
  ),
});

/** A menu to create. */
export interface MenuInput {
  name: string;
  label: string;
  locale?: string | undefined;
  translationOf?: string | undefined;
}
export type MenuListItem = z.output<typeof menuListItemSchema>;
export type MenuTranslations = z.output<typeof translationsSchema>;
export type MenuUpdate = z.output<typeof updateMenuBody>;
export type MenuTranslation = z.output<typeof translateMenuBody>;
export type MenuItemInput = z.output<typeof createItemBody>;
export type MenuItemUpdate = z.output<typeof updateItemBody>;
export type MenuItemsInput = z.output<typeof setItemsBody>['items'];
