import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { MediaClient } from '../../clients/index.js';
import { getSettings, updateSettings } from './settings.operations.js';
import { settingsSchema, updateSettingsBody } from './settings.schemas.js';

export const get = declareOperation({
  id: 'getSettings',
  tag: 'Settings',
  access: 'settings:read',
  scope: 'settings:read',
  method: 'GET',
  path: 'settings',
  summary: 'Get the settings that have a value',
  response: settingsSchema,
});

export const update = declareOperation({
  id: 'updateSettings',
  tag: 'Settings',
  access: 'settings:manage',
  scope: 'settings:manage',
  method: 'PUT',
  path: 'settings',
  summary: 'Update settings of the site',
  body: updateSettingsBody,
  response: settingsSchema,
});

/** The method of older clients (contract 40). */
const updateByPost = declareOperation({
  ...update,
  id: 'updateSettingsByPost',
  method: 'POST',
  isDocumented: false,
});

/** Site settings (spec document 1, Settings; contract 21). */
@Controller()
export class SettingsController {
  constructor(private readonly media: MediaClient) {}

  @Operation(get)
  get(@Ctx() ctx: Context) {
    return getSettings(ctx, this.media);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof update>) {
    return updateSettings(ctx, this.media, body);
  }

  @Operation(updateByPost)
  updateSettingsByPost(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof updateByPost>) {
    return updateSettings(ctx, this.media, body);
  }
}
