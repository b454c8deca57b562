import { randomInt } from 'node:crypto';

/** Letters and digits that nobody takes for one another: no I, O, 0, 1. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** A new code for a user to type, as it is stored. */
export function generateUserCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** As it is shown: XXXX-XXXX. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** What a user typed, as it is stored: case, blanks and hyphens do not matter (contract 32). */
export function normaliseUserCode(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase();
}
