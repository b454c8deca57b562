import { describe, expect, test } from '@jest/globals';
import { checkCollectionSlug, checkFieldSlug } from './slugs.js';

describe('checkFieldSlug', () => {
  test.each(['a', 'title', 'locale', 'translation_group', 'a1_b2', 'constructor', 'users', 'x'.repeat(63)])(
    'accepts %s',
    (slug) => {
      expect(checkFieldSlug(slug)).toBeNull();
    },
  );

  test.each(['', 'A', '1a', '_a', 'a-b', 'a b', 'ä', 'a\n', '__proto__', 'x'.repeat(64), 5, null, undefined])(
    'returns INVALID_SLUG for %j',
    (slug) => {
      expect(checkFieldSlug(slug)).toMatchObject({ code: 'INVALID_SLUG', path: 'slug' });
    },
  );

  test.each(
    (
      'id slug status author_id primary_byline_id created_at updated_at published_at scheduled_at deleted_at version ' +
      'live_revision_id draft_revision_id terms bylines byline'
    ).split(' '),
  )('returns RESERVED_SLUG for %s', (slug) => {
    expect(checkFieldSlug(slug)).toMatchObject({ code: 'RESERVED_SLUG', path: 'slug' });
  });
});

describe('checkCollectionSlug', () => {
  test.each('content media users revisions taxonomies options audit_logs reorder'.split(' '))(
    'returns RESERVED_SLUG for %s',
    (slug) => {
      expect(checkCollectionSlug(slug)).toMatchObject({ code: 'RESERVED_SLUG' });
    },
  );

  test('accepts slugs that are reserved only for fields', () => {
    expect(checkCollectionSlug('terms')).toBeNull();
  });

  test('returns INVALID_SLUG for other characters', () => {
    expect(checkCollectionSlug('Posts')).toMatchObject({ code: 'INVALID_SLUG' });
  });
});
