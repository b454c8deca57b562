import { QuireError } from '@quire/errors';

export function noSearchableFields(slug: string): QuireError {
  return new QuireError('NO_SEARCHABLE_FIELDS', `No field of '${slug}' that has text is searchable`);
}

export function searchNotEnabled(slug: string): QuireError {
  return new QuireError('SEARCH_NOT_ENABLED', `Search is not enabled for '${slug}'`);
}
