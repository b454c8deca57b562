import { describe, expect, it } from '@jest/globals';
import { Conditional, NotModified } from './conditional.js';

function createConditional(ifNoneMatch?: string) {
  const headers: Record<string, string> = {};
  const conditional = new Conditional(ifNoneMatch, (name, value) => (headers[name] = value));
  return { conditional, headers };
}
const etagOf = (parts: unknown): string => {
  const { conditional, headers } = createConditional();
  conditional.mark(parts);
  return String(headers['etag']);
};

describe('Conditional (RFC 9110)', () => {
  it('sets a weak ETag that depends on the state', () => {
    expect(etagOf([1, 'a'])).toMatch(/^W\/"[A-Za-z0-9_-]{27}"$/);
    expect(etagOf([1, 'a'])).toBe(etagOf([1, 'a']));
    expect(etagOf([1, 'a'])).not.toBe(etagOf([1, 'b']));
  });

  const state = { version: 3 };
  it.each([
    ['the same validator', etagOf(state), true],
    ['the same, strong', etagOf(state).slice(2), true],
    ['one of several', `"other", ${etagOf(state)} ,"more"`, true],
    ['any', '*', true],
    ['another', '"other"', false],
    ['nonsense', 'x', false],
    ['nothing', '', false],
  ])('throws NotModified with %s: %s is %s', (_, header, ends) => {
    const { conditional } = createConditional(header);
    expect(conditional.hasValidators).toBe(true);
    const end = () => conditional.throwIfNotModified(state);
    if (ends) expect(end).toThrow(NotModified);
    else expect(end).not.toThrow();
  });

  it('throws NotModified with the validator itself', () => {
    expect(() => createConditional(etagOf(state)).conditional.throwIfMatches(etagOf(state))).toThrow(
      NotModified,
    );
    expect(() => createConditional('"other"').conditional.throwIfMatches(etagOf(state))).not.toThrow();
  });

  it('sends a body that was serialised before, with its validator and type', () => {
    const { conditional, headers } = createConditional();
    const body = Buffer.from('{}');
    expect(conditional.withJson(body, etagOf(state))).toBe(body);
    expect(headers).toEqual({ etag: etagOf(state), 'content-type': 'application/json; charset=utf-8' });
  });

  it('never throws without If-None-Match', () => {
    const { conditional } = createConditional();
    expect(conditional.hasValidators).toBe(false);
    expect(() => conditional.throwIfNotModified(state)).not.toThrow();
  });
});
