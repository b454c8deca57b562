import type { RequiredField } from './import-compatibility.js';

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
