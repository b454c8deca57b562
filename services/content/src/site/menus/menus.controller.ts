import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { EntryDeps } from '../../entries/index.js';
import { SiteLocales } from '../../locales/index.js';
import {
  createMenuItem,
  deleteMenuItem,
  reorderMenuItems,
  setMenuItems,
  updateMenuItem,
} from './menu-items.operations.js';
import {
  createMenu,
  deleteMenu,
  getMenu,
  listMenus,
  listMenuTranslations,
  translateMenu,
  updateMenu,
} from './menus.operations.js';
import {
  createItemBody,
  createMenuBody,
  itemParams,
  itemSchema,
  localeQuery,
  menuListItemSchema,
  menuParams,
  menuSchema,
  menuWithItemsSchema,
  reorderItemsBody,
  setItemsBody,
  translateMenuBody,
  translationsSchema,
  updateItemBody,
  updateMenuBody,
} from './menus.schemas.js';

const read = { tag: 'Menus', access: 'menus:read', scope: 'content:read', query: localeQuery } as const;
const write = { tag: 'Menus', access: 'menus:manage', scope: 'menus:manage' } as const;
const oneMenu = { params: menuParams, query: localeQuery } as const;
const oneItem = { params: itemParams, query: localeQuery } as const;
const deleted = z.object({ deleted: z.literal(true) });
const missing = ['NOT_FOUND', 'AMBIGUOUS_LOCALE'] as const;

export const list = declareOperation({
  ...read,
  id: 'listMenus',
  method: 'GET',
  path: 'menus',
  summary: 'List menus with the number of their items',
  response: z.array(menuListItemSchema),
});

export const create = declareOperation({
  ...write,
  id: 'createMenu',
  method: 'POST',
  path: 'menus',
  summary: 'Create a menu, or a translation of one with its items',
  body: createMenuBody,
  status: 201,
  response: menuSchema,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const get = declareOperation({
  ...read,
  id: 'getMenu',
  method: 'GET',
  path: 'menus/:name',
  summary: 'Get a menu with its items',
  params: menuParams,
  response: menuWithItemsSchema,
  errors: ['NOT_FOUND'],
});

export const update = declareOperation({
  ...write,
  ...oneMenu,
  id: 'updateMenu',
  method: 'PUT',
  path: 'menus/:name',
  summary: 'Update the label of a menu',
  body: updateMenuBody,
  response: menuSchema,
  errors: missing,
});

export const remove = declareOperation({
  ...write,
  ...oneMenu,
  id: 'deleteMenu',
  method: 'DELETE',
  path: 'menus/:name',
  summary: 'Delete a menu with its items',
  response: deleted,
  errors: missing,
});

const createItem = declareOperation({
  ...write,
  ...oneMenu,
  id: 'createMenuItem',
  method: 'POST',
  path: 'menus/:name/items',
  summary: 'Add an item to a menu',
  body: createItemBody,
  status: 201,
  response: itemSchema,
  errors: missing,
});

const updateItem = declareOperation({
  ...write,
  ...oneItem,
  id: 'updateMenuItem',
  method: 'PUT',
  path: 'menus/:name/items/:id',
  summary: 'Update an item of a menu',
  body: updateItemBody,
  response: itemSchema,
  errors: missing,
});

const removeItem = declareOperation({
  ...write,
  ...oneItem,
  id: 'deleteMenuItem',
  method: 'DELETE',
  path: 'menus/:name/items/:id',
  summary: 'Delete an item; its children move up',
  response: deleted,
  errors: missing,
});

const reorderItems = declareOperation({
  ...write,
  ...oneMenu,
  id: 'reorderMenuItems',
  method: 'POST',
  path: 'menus/:name/reorder',
  summary: 'Move items of a menu to new parents and positions',
  body: reorderItemsBody,
  response: z.array(itemSchema),
  errors: missing,
});

export const setItems = declareOperation({
  ...write,
  ...oneMenu,
  id: 'setMenuItems',
  method: 'PUT',
  path: 'menus/:name/items',
  summary: 'Replace all items of a menu',
  isDocumented: false,
  body: setItemsBody,
  response: z.object({ name: z.string(), itemCount: z.number().int() }),
  errors: missing,
});

export const listTranslations = declareOperation({
  ...read,
  id: 'listMenuTranslations',
  method: 'GET',
  path: 'menus/:name/translations',
  summary: 'List the locales of a menu',
  isDocumented: false,
  params: menuParams,
  response: translationsSchema,
  errors: ['NOT_FOUND'],
});

const translate = declareOperation({
  ...write,
  ...oneMenu,
  id: 'translateMenu',
  method: 'POST',
  path: 'menus/:name/translations',
  summary: 'Create a translation of a menu with its items',
  isDocumented: false,
  body: translateMenuBody,
  status: 201,
  response: menuSchema,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Menus and their items (spec document 1, Menus; contract 18). */
@Controller()
export class MenusController {
  constructor(
    private readonly locales: SiteLocales,
    private readonly entries: EntryDeps,
  ) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listMenus(ctx, this.locales.of(ctx), query.locale);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createMenu(ctx, this.locales.of(ctx), body);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof get>) {
    return getMenu(ctx, this.locales.of(ctx), { ...params, ...query });
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof update>) {
    return updateMenu(ctx, this.locales.of(ctx), { ...params, ...query, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof remove>) {
    return deleteMenu(ctx, this.locales.of(ctx), { ...params, ...query });
  }

  @Operation(createItem)
  createItem(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof createItem>) {
    return createMenuItem(ctx, this.entries, { ...params, ...query, item: body });
  }

  @Operation(updateItem)
  updateItem(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof updateItem>) {
    return updateMenuItem(ctx, this.locales.of(ctx), { ...params, ...query, update: body });
  }

  @Operation(removeItem)
  removeItem(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof removeItem>) {
    return deleteMenuItem(ctx, this.locales.of(ctx), { ...params, ...query });
  }

  @Operation(reorderItems)
  reorderItems(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof reorderItems>) {
    return reorderMenuItems(ctx, this.locales.of(ctx), { ...params, ...query, placements: body.items });
  }

  @Operation(setItems)
  setItems(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof setItems>) {
    return setMenuItems(ctx, this.entries, { ...params, ...query, items: body.items });
  }

  @Operation(listTranslations)
  listTranslations(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof listTranslations>) {
    return listMenuTranslations(ctx, this.locales.of(ctx), { ...params, ...query });
  }

  @Operation(translate)
  translate(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof translate>) {
    return translateMenu(ctx, this.locales.of(ctx), { ...params, ...query, translation: body });
  }
}
