import { describe, expect, it } from '@jest/globals';
import type { Operator } from '@quire/tenancy';
import { OperatorSessions, sessionSeconds } from './operator-sessions.js';

const operator: Operator = { id: '01A', name: 'Anna', role: 'viewer', hash: 'a'.repeat(64) };
let now = 1_000_000;
const sessions = new OperatorSessions(['secret'], () => now);

describe('OperatorSessions', () => {
  it('have the id of the token, until their end', () => {
    const text = sessions.create(operator);
    expect([sessions.tokenIdOf(text), sessions.isValid(text, operator)]).toEqual(['01A', true]);
    now += sessionSeconds * 1000 - 1;
    expect(sessions.tokenIdOf(text)).toBe('01A');
    now += 1;
    expect(sessions.tokenIdOf(text)).toBeUndefined();
  });

  it('are valid in each process with the secret, and in no other', () => {
    const text = sessions.create(operator);
    expect(new OperatorSessions(['secret']).isValid(text, operator)).toBe(true);
    expect(new OperatorSessions(['other']).isValid(text, operator)).toBe(false);
    // The secret is being replaced.
    expect(new OperatorSessions(['other', 'secret']).isValid(text, operator)).toBe(true);
  });

  it('are valid for no other token, and not after a change of the hash', () => {
    const text = sessions.create(operator);
    expect(sessions.isValid(text, { ...operator, id: '01B' })).toBe(false);
    expect(sessions.isValid(text, { ...operator, hash: 'b'.repeat(64) })).toBe(false);
  });

  it.each(['', '01A', '01A.9999999999', '01A.Infinity.', '01A.9999999999.short', '..'])(
    'are not the text %j',
    (text) => expect(sessions.isValid(text, operator)).toBe(false),
  );
});
