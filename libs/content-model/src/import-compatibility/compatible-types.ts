import type { FieldType } from '../fields/field-types.js';

/** Types of existing fields that take the values of a required type, besides the type itself. */
const alsoCompatible: Readonly<Partial<Record<FieldType, readonly FieldType[]>>> = {
  string: ['text', 'slug'],
  text: ['string'],
  portableText: ['json'],
  number: ['integer'],
  integer: ['number'],
};

/** Whether imported values of a required type can be stored in an existing field of a type (import contract 1.2). */
export function isCompatibleType(required: FieldType, existing: FieldType): boolean {
  return required === existing || (alsoCompatible[required]?.includes(existing) ?? false);
}
