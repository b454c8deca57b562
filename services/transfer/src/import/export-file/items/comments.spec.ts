import { describe, expect, it } from '@jest/globals';
import { commentStatusOf } from './comments.js';

describe('commentStatusOf', () => {
  it.each([
    ['1', '', 'approved'],
    ['1', 'comment', 'approved'],
    ['0', 'comment', 'pending'],
    ['spam', '', null],
    ['trash', '', null],
    ['post-trashed', '', null],
    ['1', 'pingback', null],
    ['1', 'trackback', null],
    ['1', 'note', null],
  ])('reads approval %s of type "%s" as %s', (approved, type, status) => {
    expect(commentStatusOf({ approved, type })).toBe(status);
  });
});
