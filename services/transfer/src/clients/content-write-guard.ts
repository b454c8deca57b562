import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { WriteGuard } from '@quire/http-server';
import { contentApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';

/** Rejects what the content service would reject: it has the read-only mode of the site. */
export class ContentWriteGuard implements WriteGuard {
  constructor(private readonly content: InternalApiClient) {}

  /** @throws QuireError with the reason in read-only mode; SERVICE_UNAVAILABLE when the mode cannot be read */
  async assertWritable(ctx: Context): Promise<void> {
    const { rejection } = await this.content.call(contentApi.getWriteFence, ctx);
    if (!rejection) return;
    const { code, message, retryAfterSeconds } = rejection;
    throw new QuireError(code, message, { retryAfterSeconds });
  }
}
