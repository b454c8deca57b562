import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, idArgument, localeArgument, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { EntryDeps } from '../../entries/index.js';
import { SiteLocales } from '../../locales/index.js';
import { setMenuItems } from './menu-items.operations.js';
import * as operations from './menus.controller.js';
import {
  createMenu,
  deleteMenu,
  getMenu,
  listMenus,
  listMenuTranslationsById,
  updateMenu,
} from './menus.operations.js';
import {
  createMenuBody,
  hasLocaleOfTranslation,
  listedItem,
  maxItems,
  menuParams,
  missingLocale,
} from './menus.schemas.js';

const name = menuParams.shape.name.describe('Name of the menu, from menu_list');
const label = createMenuBody.shape.label.describe('Title of the menu for editors');
const oneLocale = localeArgument('Locale; required if the menu has several');
/** Stricter than REST, so that templates can use the name as an identifier. */
const newName = /^[a-z][a-z0-9_]*$/;
const item = z.object({
  ...listedItem,
  type: listedItem.type.describe('custom: a link to customUrl; the others: a link to referenceId'),
  customUrl: listedItem.customUrl.describe('Link: http(s), mailto, tel, a path or a fragment'),
  referenceCollection: listedItem.referenceCollection.describe('Slug of the collection of the entry'),
  referenceId: listedItem.referenceId.describe('Id of the entry or term'),
  parentIndex: listedItem.parentIndex.describe('Index in this array of the item above, which comes before'),
});
const target = (input: { name: string }) => ({ type: 'menu' as const, id: input.name });

const list = declareTool(operations.list, {
  name: 'menu_list',
  title: 'List Menus',
  description:
    'Lists the navigation menus of the site by name, each locale as a menu of its own, with the number of their items.',
  annotations: { readOnlyHint: true },
  input: z.object({ locale: localeArgument('Only menus of this locale; all locales if omitted') }),
});

const get = declareTool(operations.get, {
  name: 'menu_get',
  title: 'Get Menu with Items',
  description:
    'Returns one navigation menu with all of its items (links) in menu order; parentId is the id of the item above. menu_set_items changes the items.',
  annotations: { readOnlyHint: true },
  input: z.object({ name, locale: localeArgument('Locale; the one with the lowest code if omitted') }),
});

const listTranslations = declareTool(operations.listTranslations, {
  name: 'menu_translations',
  title: 'List Menu Translations',
  description: 'Lists the menus of all locales that are translations of one menu.',
  annotations: { readOnlyHint: true },
  input: z.object({ id: idArgument('Id of a menu, or its translationGroup') }),
});

const create = declareTool(operations.create, {
  name: 'menu_create',
  title: 'Create Menu',
  description:
    'Creates a menu without items, or with translationOf a translation with copies of the items. menu_set_items adds items.',
  input: z
    .object({
      name: z
        .string()
        .max(100)
        .regex(newName, 'must be a-z, 0-9 and _, beginning with a letter')
        .describe('Name for templates, the same in all locales'),
      label,
      locale: localeArgument('Locale; the default locale if omitted'),
      translationOf: idArgument('Id of the menu to translate; requires locale').optional(),
    })
    .refine(hasLocaleOfTranslation, missingLocale),
  target,
});

const update = declareTool(operations.update, {
  name: 'menu_update',
  title: 'Update Menu',
  description: 'Changes the label of a menu. menu_set_items changes its items.',
  input: z.object({ name, label, locale: oneLocale }),
  target,
});

const remove = declareTool(operations.remove, {
  name: 'menu_delete',
  title: 'Delete Menu',
  description: 'Deletes a menu of one locale with all of its items. This cannot be undone.',
  annotations: { destructiveHint: true },
  input: z.object({ name, locale: oneLocale }),
  target,
});

const setItems = declareTool(operations.setItems, {
  name: 'menu_set_items',
  title: 'Set Menu Items',
  description:
    'Sets the links of a navigation menu: replaces all items at once; read them with menu_get first. The order of the array is the order of the menu, parents before children. On an error the old items stay.',
  input: z.object({
    name,
    items: z.array(item).max(maxItems).describe('All items in order; [] removes all'),
    locale: oneLocale,
  }),
  target,
});

/** Tools of menus (spec document 2, Menus; contract 10). */
@Injectable()
export class MenuTools {
  constructor(
    private readonly locales: SiteLocales,
    private readonly entries: EntryDeps,
  ) {}

  @Tool(list)
  list(ctx: Context, { locale }: ToolInputOf<typeof list>) {
    return listMenus(ctx, this.locales.of(ctx), locale);
  }

  @Tool(get)
  get(ctx: Context, input: ToolInputOf<typeof get>) {
    return getMenu(ctx, this.locales.of(ctx), input, { prefersDefault: false });
  }

  @Tool(listTranslations)
  listTranslations(ctx: Context, { id }: ToolInputOf<typeof listTranslations>) {
    return listMenuTranslationsById(ctx, id);
  }

  @Tool(create)
  create(ctx: Context, input: ToolInputOf<typeof create>) {
    return createMenu(ctx, this.locales.of(ctx), input);
  }

  @Tool(update)
  update(ctx: Context, { label, ...address }: ToolInputOf<typeof update>) {
    return updateMenu(ctx, this.locales.of(ctx), { ...address, update: { label } });
  }

  @Tool(remove)
  remove(ctx: Context, input: ToolInputOf<typeof remove>) {
    return deleteMenu(ctx, this.locales.of(ctx), input);
  }

  @Tool(setItems)
  setItems(ctx: Context, input: ToolInputOf<typeof setItems>) {
    return setMenuItems(ctx, this.entries, input);
  }
}
