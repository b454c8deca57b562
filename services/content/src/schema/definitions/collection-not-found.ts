import { QuireError } from '@quire/errors';

export function collectionNotFound(slug: string): QuireError {
  return new QuireError('COLLECTION_NOT_FOUND', `Collection '${slug}' not found`);
}
