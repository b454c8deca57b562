import type { FieldResponse } from '../fields/field.mapper.js';
import type { StoredCollection } from './collections.repository.js';

/** A collection in responses (contract 6). */
export type CollectionResponse = Omit<StoredCollection, 'version' | 'admin'> & {
  admin?: NonNullable<StoredCollection['admin']>;
  fields?: readonly FieldResponse[];
};

/** @param fields left out of the response unless given. */
export function toCollectionResponse(
  { version: _version, admin, ...collection }: StoredCollection,
  fields?: readonly FieldResponse[],
): CollectionResponse {
  return { ...collection, ...(admin === null ? {} : { admin }), ...(fields ? { fields } : {}) };
}
