import { describe, expect, it } from '@jest/globals';
import { classifyComment } from './comments.policy.js';

const settings = {
  commentsModeration: 'first_time' as const,
  commentsClosedAfterDays: 90,
  commentsAutoApproveUsers: true,
};
const guest = { isSignedIn: false, isKnown: false, text: 'Hi' };

describe('the status of a new comment (contract 16)', () => {
  it.each([
    ['all', false, false, 'pending'],
    ['all', true, false, 'pending'],
    ['all', false, true, 'approved'],
    ['first_time', false, false, 'pending'],
    ['first_time', true, false, 'approved'],
    ['none', false, false, 'approved'],
  ] as const)(
    'moderation %s, known %s, signed in %s: %s',
    (commentsModeration, isKnown, isSignedIn, status) => {
      expect(
        classifyComment({ ...settings, commentsModeration }, { ...guest, isKnown, isSignedIn }).status,
      ).toBe(status);
    },
  );

  it('does not approve a signed-in author if the collection does not approve users', () => {
    const strict = { ...settings, commentsModeration: 'all' as const, commentsAutoApproveUsers: false };
    expect(classifyComment(strict, { ...guest, isSignedIn: true, isKnown: true }).status).toBe('pending');
  });
});

describe('links in a comment', () => {
  const statusOf = (text: string, more = {}) =>
    classifyComment(settings, { ...guest, isKnown: true, text, ...more }).status;

  it.each([
    ['https://a.b https://a.b https://a.b', 'approved'],
    ['https://a.b https://a.b https://a.b https://a.b', 'spam'],
    ['<a href="http://a.b">x</a>[url=HTTP://c.d]www.e.f\nhttps://g.h', 'spam'],
    ['https://www.a.b https://www.c.d', 'approved'],
    ['awww.nice. ...www. http:// https:// say "http" four times', 'approved'],
  ])('%j: %s', (text, status) => {
    expect(statusOf(text)).toBe(status);
  });

  it('do not make a comment of a signed-in author spam', () => {
    expect(statusOf('https://a.b '.repeat(9), { isSignedIn: true })).toBe('approved');
  });

  it('are counted in time linear to the text', () => {
    expect(statusOf('www.'.repeat(1250))).toBe('approved');
    expect(statusOf('http'.repeat(1250))).toBe('approved');
  });
});
