import type { FieldType } from '../fields/field-types.js';

/** A field that an import needs in its collection (import contract 1.2, requiredFields). */
export interface RequiredField {
  slug: string;
  label: string;
  type: FieldType;
  required: boolean;
  searchable?: boolean | undefined;
}

/** The fields that every imported type needs (import contract 1.2). */
export const baseImportFields: readonly RequiredField[] = [
  { slug: 'title', label: 'Title', type: 'string', required: true, searchable: true },
  { slug: 'content', label: 'Content', type: 'portableText', required: false, searchable: true },
  { slug: 'excerpt', label: 'Excerpt', type: 'text', required: false },
];

/** The field of types whose items have a featured image. */
export const featuredImageField: RequiredField = {
  slug: 'featured_image',
  label: 'Featured image',
  type: 'image',
  required: false,
};

/**
 * The field of types whose items have parents of the same type. It selects an entry of its own collection, whatever the
 * name of that is.
 */
export const parentField: RequiredField = {
  slug: 'parent',
  label: 'Parent',
  type: 'reference',
  required: false,
};

/** Whether a field is the one for parents. A collection may have another field of its slug. */
export function isParentField({ slug, type }: Pick<RequiredField, 'slug' | 'type'>): boolean {
  return slug === parentField.slug && type === parentField.type;
}

/**
 * @param postType name of a type at the source
 * @returns the fields of a type of which nothing but the name is known (import contract 1.3). Only the type `page` has
 *   parents on every site of the source platform.
 */
export function defaultImportFields(postType: string): RequiredField[] {
  return [...baseImportFields, featuredImageField, ...(postType === 'page' ? [parentField] : [])];
}
