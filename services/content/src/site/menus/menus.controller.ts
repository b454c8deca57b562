import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import * as declared from './menus.declarations.js';
import { createMenuItem } from './operations/create-menu-item.js';
import { createMenu } from './operations/create-menu.js';
import { deleteMenuItem } from './operations/delete-menu-item.js';
import { deleteMenu } from './operations/delete-menu.js';
import { getMenu } from './operations/get-menu.js';
import { listMenus } from './operations/list-menus.js';
import { listMenuTranslations, translateMenu } from './operations/menu-translations.js';
import { reorderMenuItems } from './operations/reorder-menu-items.js';
import { setMenuItems } from './operations/set-menu-items.js';
import { updateMenuItem } from './operations/update-menu-item.js';
import { updateMenu } from './operations/update-menu.js';

type InputOfNamed<Name extends keyof typeof declared> = InputOf<(typeof declared)[Name]>;

/** Menus and their items (spec document 1, Menus; contract 18). */
@Controller()
export class MenusController {
  constructor(@Inject(EntryDeps) private readonly entries: EntryDeps) {}

  @Operation(declared.listMenus)
  list(@Ctx() ctx: Context, @Input() { query }: InputOfNamed<'listMenus'>) {
    return listMenus(ctx, this.entries.locales, query.locale);
  }

  @Operation(declared.createMenu)
  create(@Ctx() ctx: Context, @Input() { body }: InputOfNamed<'createMenu'>) {
    return createMenu(ctx, this.entries.locales, body);
  }

  @Operation(declared.getMenu)
  get(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'getMenu'>) {
    return getMenu(ctx, this.entries.locales, { ...params, ...query });
  }

  @Operation(declared.updateMenu)
  update(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'updateMenu'>) {
    return updateMenu(ctx, this.entries.locales, { ...params, ...query }, body);
  }

  @Operation(declared.deleteMenu)
  remove(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'deleteMenu'>) {
    return deleteMenu(ctx, this.entries.locales, { ...params, ...query });
  }

  @Operation(declared.createMenuItem)
  createItem(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'createMenuItem'>) {
    return createMenuItem(ctx, this.entries, { ...params, ...query }, body);
  }

  @Operation(declared.updateMenuItem)
  updateItem(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'updateMenuItem'>) {
    return updateMenuItem(ctx, this.entries.locales, { ...params, ...query }, body);
  }

  @Operation(declared.deleteMenuItem)
  deleteMenuItemRow(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'deleteMenuItem'>) {
    return deleteMenuItem(ctx, this.entries.locales, { ...params, ...query });
  }

  @Operation(declared.reorderMenuItems)
  reorder(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'reorderMenuItems'>) {
    return reorderMenuItems(ctx, this.entries.locales, { ...params, ...query }, body.items);
  }

  @Operation(declared.setMenuItems)
  setItems(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'setMenuItems'>) {
    return setMenuItems(ctx, this.entries, { ...params, ...query }, body.items);
  }

  @Operation(declared.listMenuTranslations)
  async translations(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'listMenuTranslations'>) {
    const { id } = await getMenu(ctx, this.entries.locales, { ...params, ...query });
    return listMenuTranslations(ctx, id);
  }

  @Operation(declared.translateMenu)
  translate(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'translateMenu'>) {
    return translateMenu(ctx, this.entries.locales, { ...params, ...query }, body);
  }
}
