import { describe, expect, it } from '@jest/globals';
import { boundedName, identifier, likeContaining, likeStarting, literal } from './identifiers.js';

describe('literal', () => {
  it.each([
    ['plain', "'plain'"],
    ["it's", "'it''s'"],
    ['back\\slash', " E'back\\\\slash'"],
  ])('quotes %s', (text, quoted) => {
    expect(literal(text)).toBe(quoted);
  });

  it('throws for a NUL', () => {
    expect(() => literal('a\0b')).toThrow('holds a NUL');
  });
});

describe('identifier', () => {
  it.each([
    ['plain', '"plain"'],
    ['select', '"select"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['Ünï', '"Ünï"'],
  ])('quotes %s', (name, quoted) => {
    expect(identifier(name)).toBe(quoted);
  });

  it.each([
    ['nothing', ''],
    ['a NUL', 'a\0b'],
    ['64 letters', 'a'.repeat(64)],
    ['32 letters of two bytes', 'ü'.repeat(32)],
  ])('throws for %s, which PostgreSQL would truncate or reject', (_, name) => {
    expect(() => identifier(name)).toThrow('Not usable as an SQL identifier');
  });

  it('keeps bounded names that fit', () => {
    expect(boundedName('ec_', 'posts')).toBe('ec_posts');
    expect(boundedName('', 'a'.repeat(63))).toBe('a'.repeat(63));
  });

  it('shortens long names so that two long names stay different', () => {
    const [left, right] = ['a', 'b'].map((end) => boundedName('idx_', 'x'.repeat(80) + end));
    expect(left).toHaveLength(63);
    expect(left).not.toBe(right);
    expect(boundedName('idx_', `${'x'.repeat(80)}a`)).toBe(left);
  });
});

describe('likeContaining and likeStarting', () => {
  it.each([
    ['abc', '%abc%'],
    ['50%_\\', '%50\\%\\_\\\\%'],
    ['', '%%'],
  ])('escapes the wildcards of %j: %j', (text, pattern) => {
    expect(likeContaining(text)).toBe(pattern);
    expect(likeStarting(text)).toBe(pattern.slice(1));
  });
});
