import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { updateSettings } from './operations/update-settings.js';
import { settingsSchema, updateSettingsBody } from './settings.schemas.js';

const store = declareOperation({
  id: 'internalStoreSettings',
  method: 'POST',
  path: 'internal/content/settings',
  summary: 'Store settings, for the setup of the auth service',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  documented: false,
  body: updateSettingsBody.pick({ title: true, tagline: true }),
  response: settingsSchema,
});

@Controller()
export class SettingsInternalController {
  @Operation(store)
  store(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof store>) {
    return updateSettings(ctx, body);
  }
}
