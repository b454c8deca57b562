import { QuireError } from '@quire/errors';

export function noSearchableFieldsError(slug: string): QuireError {
  return new QuireError('NO_SEARCHABLE_FIELDS', `Collection '${slug}' has no searchable text field`);
}

export function searchNotEnabledError(slug: string): QuireError {
  return new QuireError('SEARCH_NOT_ENABLED', `Search is not enabled for '${slug}'`);
}
