import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, idArgument, localeArgument, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { EntryDeps } from '../../entries/index.js';
import { Locales } from '../../locales/index.js';
import { setMenuItems } from './menu-items.operations.js';
import * as operations from './menus.controller.js';
import {
  createMenu,
  deleteMenu,
  getMenu,
  listMenus,
  listMenuTranslations,
  updateMenu,
} from './menus.operations.js';
import { createMenuBody, menuParams, setItemsBody } from './menus.schemas.js';

const name = menuParams.shape.name.describe('Name of the menu, from menu_list');
const label = createMenuBody.shape.label.describe('Title of the menu for editors');
const oneLocale = localeArgument('Locale; required if the menu has several');
const target = (input: { name: string }) => ({ type: 'menu' as const, id: input.name });

const list = declareTool(operations.list, {
  name: 'menu_list',
  title: 'List Menus',
  description: 'Lists the navigation menus of the site by name, with the number of their items.',
  annotations: { readOnlyHint: true },
  input: z.object({ locale: localeArgument('Only menus of this locale; all locales if omitted') }),
});

const get = declareTool(operations.get, {
  name: 'menu_get',
  title: 'Get Menu with Items',
  description: 'Returns one menu with its items in menu order. parentId nests an item under another.',
  annotations: { readOnlyHint: true },
  input: z.object({ name, locale: localeArgument('Locale; the default locale if omitted') }),
});

const listTranslations = declareTool(operations.listTranslations, {
  name: 'menu_translations',
  title: 'List Menu Translations',
  description: 'Lists the locales of a menu, with the id of the menu of each.',
  annotations: { readOnlyHint: true },
  input: z.object({ id: idArgument('Id of a menu, or its translationGroup') }),
});

const create = declareTool(operations.create, {
  name: 'menu_create',
  title: 'Create Menu',
  description: 'Creates a menu without items, or a translation of a menu with copies of its items.',
  input: z.object({
    name: createMenuBody.shape.name.describe('Name for templates: a-z, 0-9 and _'),
    label,
    locale: localeArgument('Locale; the default locale if omitted'),
    translationOf: idArgument('Id of the menu to translate; requires locale').optional(),
  }),
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
    'Replaces all items of a menu at once; an empty list removes them. Read them with menu_get first. The order of the array is the order of the menu; an item below another gives its index as parentIndex, and comes after it.',
  input: z.object({
    name,
    items: setItemsBody.shape.items.describe('All items in order'),
    locale: oneLocale,
  }),
  target,
});

/** Tools of menus (spec document 2, Menus; contract 10). */
@Injectable()
export class MenuTools {
  constructor(
    private readonly locales: Locales,
    private readonly entries: EntryDeps,
  ) {}

  @Tool(list)
  list(ctx: Context, { locale }: ToolInputOf<typeof list>) {
    return listMenus(ctx, this.locales, locale);
  }

  @Tool(get)
  get(ctx: Context, input: ToolInputOf<typeof get>) {
    return getMenu(ctx, this.locales, input);
  }

  @Tool(listTranslations)
  listTranslations(ctx: Context, { id }: ToolInputOf<typeof listTranslations>) {
    return listMenuTranslations(ctx, this.locales, { name: id });
  }

  @Tool(create)
  create(ctx: Context, input: ToolInputOf<typeof create>) {
    return createMenu(ctx, this.locales, input);
  }

  @Tool(update)
  update(ctx: Context, { label, ...address }: ToolInputOf<typeof update>) {
    return updateMenu(ctx, this.locales, { ...address, update: { label } });
  }

  @Tool(remove)
  remove(ctx: Context, input: ToolInputOf<typeof remove>) {
    return deleteMenu(ctx, this.locales, input);
  }

  @Tool(setItems)
  setItems(ctx: Context, input: ToolInputOf<typeof setItems>) {
    return setMenuItems(ctx, this.entries, input);
  }
}
