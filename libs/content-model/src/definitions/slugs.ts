/** The codes of invalid definitions; the status of each is 400 (sheet rest-shapes, section 3). */
export type DefinitionCode =
  | 'INVALID_SLUG'
  | 'RESERVED_SLUG'
  | 'FIELD_NOT_INDEXABLE'
  | 'VALIDATION_ERROR'
  | 'FIELD_TYPE_COLUMN_CHANGE'
  | 'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION'
  | 'FIELD_UPDATE_REQUIRES_MIGRATION';

/** A problem of a definition; `path` is the property, joined by dots (`validation.subFields.0.slug`). */
export interface DefinitionProblem {
  code: DefinitionCode;
  path: string;
  message: string;
}

/** The slug pattern of collections, fields, taxonomies, relations and block types; the longest is 63 characters. */
export const slugPattern = /^[a-z][a-z0-9_]*$/;
export const maxSlugLength = 63;

/** Slugs no field can have (document 3); the list is closed: `title` or `locale` are free. */
const reservedFieldSlugs: ReadonlySet<string> = new Set([
  'id',
  'slug',
  'status',
  'author_id',
  'primary_byline_id',
  'created_at',
  'updated_at',
  'published_at',
  'scheduled_at',
  'deleted_at',
  'version',
  'live_revision_id',
  'draft_revision_id',
  'terms',
  'bylines',
  'byline',
]);

/** Slugs no collection can have: they clash with routes (sheet import-and-fields, section 5). */
const reservedCollectionSlugs: ReadonlySet<string> = new Set([
  'content',
  'media',
  'users',
  'revisions',
  'taxonomies',
  'options',
  'audit_logs',
  'reorder',
]);

/** Whether a value is a slug of the common pattern, 1 to 63 characters long. */
export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxSlugLength && slugPattern.test(value);
}

/** Checks a collection's slug. Returns INVALID_SLUG, RESERVED_SLUG, or null for a valid slug. */
export function checkCollectionSlug(slug: unknown): DefinitionProblem | null {
  return slugProblem(slug, reservedCollectionSlugs);
}

/** Checks a field's slug. Returns INVALID_SLUG, RESERVED_SLUG, or null for a valid slug. */
export function checkFieldSlug(slug: unknown): DefinitionProblem | null {
  return slugProblem(slug, reservedFieldSlugs);
}

function slugProblem(slug: unknown, reserved: ReadonlySet<string>): DefinitionProblem | null {
  if (!isSlug(slug)) {
    return {
      code: 'INVALID_SLUG',
      path: 'slug',
      message: `must be 1 to ${maxSlugLength} lower-case letters, digits and underscores, and begin with a letter`,
    };
  }
  return reserved.has(slug)
    ? { code: 'RESERVED_SLUG', path: 'slug', message: `'${slug}' is reserved` }
    : null;
}
