import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { InternalApiClient } from '@quire/http-server';
import { defaultAllowedTypes } from './media-type.js';

/** What files the fields of a site's collections take, as the content service knows it. */
export class FieldTypes {
  constructor(private readonly content: InternalApiClient) {}

  /**
   * The types that may be uploaded for a field, or for none.
   * @throws QuireError VALIDATION_ERROR when there is no such field, SERVICE_UNAVAILABLE when content cannot be asked.
   */
  async allowed(ctx: Context, fieldId: string | undefined): Promise<readonly string[]> {
    if (fieldId === undefined) return defaultAllowedTypes;
    const question = this.content.request<{ allowedMimeTypes: string[] | null }>(ctx, 'file-types', {
      fieldId,
    });
    const { allowedMimeTypes } = await question.catch(mapUnknownField);
    return allowedMimeTypes ?? defaultAllowedTypes;
  }
}

function mapUnknownField(error: unknown): never {
  const isUnknown = error instanceof QuireError && error.code === 'NOT_FOUND';
  throw isUnknown
    ? invalidInput([{ path: 'fieldId', message: 'must be the id of a field of this site' }])
    : error;
}
