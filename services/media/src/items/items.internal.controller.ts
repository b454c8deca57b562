import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { mediaApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { selectFileChangeCount } from './file-changes.repository.js';
import { countItems } from './items.repository.js';
import { filesByIds, filesByStorageKeys } from './items.operations.js';

/** Media items for the other services. */
@Controller()
export class ItemsInternalController {
  @Operation(mediaApi.filesByIds)
  async filesByIds(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof mediaApi.filesByIds>,
  ): Promise<ResponseOf<typeof mediaApi.filesByIds>> {
    return { items: await filesByIds(ctx, body.ids) };
  }

  @Operation(mediaApi.filesByStorageKeys)
  async filesByStorageKeys(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof mediaApi.filesByStorageKeys>,
  ): Promise<ResponseOf<typeof mediaApi.filesByStorageKeys>> {
    return { items: await filesByStorageKeys(ctx, body.storageKeys) };
  }

  @Operation(mediaApi.countFileChanges)
  async countFileChanges(@Ctx() ctx: Context): Promise<ResponseOf<typeof mediaApi.countFileChanges>> {
    return { count: await selectFileChangeCount(ctx.db) };
  }

  @Operation(mediaApi.countItems)
  async countItems(@Ctx() ctx: Context): Promise<ResponseOf<typeof mediaApi.countItems>> {
    return { count: await countItems(ctx.db, {}) };
  }
}
