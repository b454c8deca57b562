import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { MediaClient } from '../../clients/index.js';
import { getMediaSettings } from './operations/get-media-settings.js';
import { updateSettings } from './operations/update-settings.js';
import { selectSettings } from './settings.repository.js';
import { settingsSchema, updateSettingsBody } from './settings.schemas.js';
import { z } from 'zod';

const shared = {
  path: 'internal/content/settings',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
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

const media = declareOperation({
  ...shared,
  path: 'internal/content/media-settings',
  id: 'internalMediaSettings',
  method: 'POST',
  summary: 'Which settings select which media items, for the media service',
  response: z.object({ selected: z.array(z.object({ setting: z.string(), mediaId: z.string() })) }),
});

@Controller()
export class SettingsInternalController {
  constructor(private readonly directory: MediaClient) {}

  @Operation(read)
  async read(@Ctx() ctx: Context) {
    const { title } = await selectSettings(ctx.db);
    return { title };
  }

  @Operation(store)
  store(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof store>) {
    return updateSettings(ctx, this.directory, body);
  }

  @Operation(media)
  media(@Ctx() ctx: Context) {
    return getMediaSettings(ctx);
  }
}
