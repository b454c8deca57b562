import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { ServiceQuestions } from '@quire/http-server';
import { usualTypes } from './allowed-types.js';

/** What files the fields of a site's collections take, as the content service knows it. */
export class FieldTypes {
  constructor(private readonly content: ServiceQuestions) {}

  /**
   * The types that may be uploaded for a field, or for none.
   * @throws QuireError VALIDATION_ERROR when there is no such field, SERVICE_UNAVAILABLE when content cannot be asked.
   */
  async allowed(ctx: Context, fieldId: string | undefined): Promise<readonly string[]> {
    if (fieldId === undefined) return usualTypes;
    const question = this.content.ask<{ allowedMimeTypes: string[] | null }>(ctx, 'file-types', { fieldId });
    const { allowedMimeTypes } = await question.catch(withoutSuchField);
    return allowedMimeTypes ?? usualTypes;
  }
}

function withoutSuchField(error: unknown): never {
  const isUnknown = error instanceof QuireError && error.code === 'NOT_FOUND';
  throw isUnknown ? invalidInput([{ path: 'fieldId', message: 'is no field of this site' }]) : error;
}
