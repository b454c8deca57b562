import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { MediaClient } from '../../clients/index.js';
import { getMediaSettings } from './operations/get-media-settings.js';
import { updateSettings } from './operations/update-settings.js';
import { selectSettings } from './settings.repository.js';

/** Settings for the other services. */
@Controller()
export class SettingsInternalController {
  constructor(private readonly media: MediaClient) {}

  @Operation(contentApi.getSiteTitle)
  async getSiteTitle(@Ctx() ctx: Context): Promise<ResponseOf<typeof contentApi.getSiteTitle>> {
    const { title } = await selectSettings(ctx.db);
    return { title };
  }

  @Operation(contentApi.updateSiteNames)
  async updateSiteNames(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.updateSiteNames>,
  ): Promise<ResponseOf<typeof contentApi.updateSiteNames>> {
    await updateSettings(ctx, this.media, body);
    return {};
  }

  @Operation(contentApi.getMediaSettings)
  getMediaSettings(@Ctx() ctx: Context): Promise<ResponseOf<typeof contentApi.getMediaSettings>> {
    return getMediaSettings(ctx);
  }
}
