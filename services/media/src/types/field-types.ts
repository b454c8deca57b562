import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { contentApi, mediaApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';

/** The media types that the fields of a site accept, from the content service. */
export class FieldTypes {
  constructor(private readonly content: InternalApiClient) {}

  /**
   * Returns the accepted types for a field, or without one.
   * @throws QuireError VALIDATION_ERROR for an unknown field, SERVICE_UNAVAILABLE when content is unavailable.
   */
  async allowed(ctx: Context, fieldId: string | undefined): Promise<readonly string[]> {
    if (fieldId === undefined) return mediaApi.defaultAllowedTypes;
    const { allowedMimeTypes } = await this.content
      .call(contentApi.getFileTypes, ctx, { fieldId })
      .catch(mapUnknownField);
    return allowedMimeTypes ?? mediaApi.defaultAllowedTypes;
  }
}

function mapUnknownField(error: unknown): never {
  const isUnknown = error instanceof QuireError && error.code === 'NOT_FOUND';
  throw isUnknown
    ? invalidInput([{ path: 'fieldId', message: 'must be the id of a field of this site' }])
    : error;
}
