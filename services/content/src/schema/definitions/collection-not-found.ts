import { QuireError } from '@quire/errors';

export function collectionNotFound(slug: string): QuireError {
  return new QuireError('COLLECTION_NOT_FOUND', `There is no collection '${slug}'`);
}
