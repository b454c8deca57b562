import { describe, expect, it } from '@jest/globals';
import { classifyComment } from './comments.policy.js';

const settings = {
  commentsModeration: 'first_time' as const,
  commentsClosedAfterDays: 90,
  commentsAutoApproveUsers: true,
};
const guest = { isSignedIn: false, isKnown: false, text: 'Hi' };

describe('what becomes of a new comment (contract 16)', () => {
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

  it('does not approve a signed-in author by itself where that is off', () => {
    const strict = { ...settings, commentsModeration: 'all' as const, commentsAutoApproveUsers: false };
    expect(classifyComment(strict, { ...guest, isSignedIn: true, isKnown: true }).status).toBe('pending');
  });
});

describe('links that make a guest’s text spam', () => {
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

  it('do not make a signed-in author’s spam', () => {
    expect(statusOf('https://a.b '.repeat(9), { isSignedIn: true })).toBe('approved');
  });

  it('are counted in time that does not explode with the text', () => {
    expect(statusOf('www.'.repeat(1250))).toBe('approved');
    expect(statusOf('http'.repeat(1250))).toBe('approved');
  });
});
