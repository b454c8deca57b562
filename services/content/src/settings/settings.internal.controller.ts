import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { getSettings } from './operations/get-settings.js';
import { updateSettings } from './operations/update-settings.js';
import { settingsSchema, updateSettingsBody } from './settings.schemas.js';

const shared = {
  path: 'internal/content/settings',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  documented: false,
} as const;

const read = declareOperation({
  ...shared,
  id: 'internalReadSettings',
  method: 'GET',
  summary: 'What the site is called, for the auth service',
  response: settingsSchema.pick({ title: true }),
});

const store = declareOperation({
  ...shared,
  id: 'internalStoreSettings',
  method: 'POST',
  summary: 'Store settings, for the setup of the auth service',
  body: updateSettingsBody.pick({ title: true, tagline: true }),
  response: settingsSchema,
});

@Controller()
export class SettingsInternalController {
  @Operation(read)
  async read(@Ctx() ctx: Context) {
    const { title } = await getSettings(ctx);
    return { title };
  }

  @Operation(store)
  store(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof store>) {
    return updateSettings(ctx, body);
  }
}
