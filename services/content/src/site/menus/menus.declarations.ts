import { declareOperation } from '@quire/operation';
import { z } from 'zod';
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

export const listMenus = declareOperation({
  ...read,
  id: 'listMenus',
  method: 'GET',
  path: 'menus',
  summary: 'List menus with the number of their items',
  response: z.array(menuListItemSchema),
});

export const createMenu = declareOperation({
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

export const getMenu = declareOperation({
  ...read,
  id: 'getMenu',
  method: 'GET',
  path: 'menus/:name',
  summary: 'Get a menu with its items',
  params: menuParams,
  response: menuWithItemsSchema,
  errors: ['NOT_FOUND'],
});

export const updateMenu = declareOperation({
  ...write,
  ...oneMenu,
  id: 'updateMenu',
  method: 'PUT',
  path: 'menus/:name',
  summary: 'Change the label of a menu',
  body: updateMenuBody,
  response: menuSchema,
  errors: missing,
});

export const deleteMenu = declareOperation({
  ...write,
  ...oneMenu,
  id: 'deleteMenu',
  method: 'DELETE',
  path: 'menus/:name',
  summary: 'Delete a menu with its items',
  response: deleted,
  errors: missing,
});

export const createMenuItem = declareOperation({
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

export const updateMenuItem = declareOperation({
  ...write,
  ...oneItem,
  id: 'updateMenuItem',
  method: 'PUT',
  path: 'menus/:name/items/:id',
  summary: 'Change what is sent of an item',
  body: updateItemBody,
  response: itemSchema,
  errors: missing,
});

export const deleteMenuItem = declareOperation({
  ...write,
  ...oneItem,
  id: 'deleteMenuItem',
  method: 'DELETE',
  path: 'menus/:name/items/:id',
  summary: 'Delete an item; its children move up',
  response: deleted,
  errors: missing,
});

export const reorderMenuItems = declareOperation({
  ...write,
  ...oneMenu,
  id: 'reorderMenuItems',
  method: 'POST',
  path: 'menus/:name/reorder',
  summary: 'Move items to new parents and places',
  body: reorderItemsBody,
  response: z.array(itemSchema),
  errors: missing,
});

export const setMenuItems = declareOperation({
  ...write,
  ...oneMenu,
  id: 'setMenuItems',
  method: 'PUT',
  path: 'menus/:name/items',
  summary: 'Replace all items of a menu at once',
  isDocumented: false,
  body: setItemsBody,
  response: z.object({ name: z.string(), itemCount: z.number().int() }),
  errors: missing,
});

export const listMenuTranslations = declareOperation({
  ...read,
  id: 'listMenuTranslations',
  method: 'GET',
  path: 'menus/:name/translations',
  summary: 'Every locale of a menu',
  isDocumented: false,
  params: menuParams,
  response: translationsSchema,
  errors: ['NOT_FOUND'],
});

export const translateMenu = declareOperation({
  ...write,
  ...oneMenu,
  id: 'translateMenu',
  method: 'POST',
  path: 'menus/:name/translations',
  summary: 'Make a menu of the same name in another locale',
  isDocumented: false,
  body: translateMenuBody,
  status: 201,
  response: menuSchema,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
