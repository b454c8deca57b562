import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { mediaApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { createItemsOfObjects, reserveObjects } from './operations/create-items-of-objects.js';
import { UploadDeps } from './upload-deps.js';
import { selectStorageUse } from './uploads.repository.js';

/** Files that other parts of the installation store: downloads of imports. */
@Controller()
export class UploadsInternalController {
  constructor(@Inject(UploadDeps) private readonly deps: UploadDeps) {}

  @Operation(mediaApi.reserveObjects)
  reserveObjects(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof mediaApi.reserveObjects>,
  ): Promise<ResponseOf<typeof mediaApi.reserveObjects>> {
    return reserveObjects(ctx, this.deps, body.count);
  }

  @Operation(mediaApi.createItemsOfObjects)
  createItemsOfObjects(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof mediaApi.createItemsOfObjects>,
  ): Promise<ResponseOf<typeof mediaApi.createItemsOfObjects>> {
    return createItemsOfObjects(ctx, this.deps, body);
  }

  @Operation(mediaApi.getStorageUse)
  async getStorageUse(@Ctx() ctx: Context): Promise<ResponseOf<typeof mediaApi.getStorageUse>> {
    const limitBytes = this.deps.quota.bytesOf(ctx) ?? null;
    return { usedBytes: await selectStorageUse(ctx.db), limitBytes };
  }
}
