import { columnClass } from '@quire/content-model';
import type { Collection } from './collections/collection.entity.js';
import type { Field } from './fields/field.entity.js';

/** A field as the API answers it (contract 6): unset optionals are null. */
export function toBaseFieldResponse(field: Field) {
  const { id, collectionId, slug, label, type, required, unique, validation, widget, options, sortOrder } =
    field;
  const { searchable, indexed, translatable, createdAt, updatedAt } = field;
  return {
    id,
    collectionId,
    slug,
    label,
    type,
    columnType: columnClass(type),
    required,
    unique,
    defaultValue: field.defaultValue ?? null,
    validation,
    widget,
    options,
    sortOrder,
    searchable,
    indexed,
    translatable,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** A collection as the API answers it, with its fields (as the API answers them) where they are given. */
export function toCollectionResponse(
  { version: _version, ...collection }: Collection,
  fields?: readonly BaseFieldResponse[],
) {
  const { admin, createdAt, updatedAt, ...rest } = collection;
  return {
    ...rest,
    ...(admin === null ? {} : { admin }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(fields ? { fields } : {}),
  };
}

export type CollectionResponse = ReturnType<typeof toCollectionResponse>;
export type BaseFieldResponse = ReturnType<typeof toBaseFieldResponse>;
