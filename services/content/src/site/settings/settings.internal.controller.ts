import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { MediaClient } from '../../clients/index.js';
import { getSiteNames, getSiteTitle, updateSettings } from './settings.operations.js';

/** Settings for the other services. */
@Controller()
export class SettingsInternalController {
  constructor(private readonly media: MediaClient) {}

  @Operation(contentApi.getSiteTitle)
  getSiteTitle(@Ctx() ctx: Context): Promise<ResponseOf<typeof contentApi.getSiteTitle>> {
    return getSiteTitle(ctx);
  }

  @Operation(contentApi.getSiteNames)
  getSiteNames(@Ctx() ctx: Context): Promise<ResponseOf<typeof contentApi.getSiteNames>> {
    return getSiteNames(ctx);
  }

  @Operation(contentApi.updateSiteNames)
  async updateSiteNames(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.updateSiteNames>,
  ): Promise<ResponseOf<typeof contentApi.updateSiteNames>> {
    await updateSettings(ctx, this.media, body);
    return {};
  }
}
