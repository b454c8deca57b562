import { randomInt } from 'node:crypto';

/** Unambiguous letters and digits: no I, O, 0, 1. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** @returns a new user code in its stored form. */
export function generateUserCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** @returns the displayed form: XXXX-XXXX. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** @returns the stored form of a typed code: case, blanks and hyphens are ignored (contract 32). */
export function normaliseUserCode(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase();
}
