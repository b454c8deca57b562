import pg from 'pg';
import { createHash } from 'node:crypto';

const maxIdentifierBytes = 63;

/**
 * A quoted SQL identifier. Only names that Quire makes itself or that passed a slug pattern come here; anything that
 * PostgreSQL would cut or that holds a NUL is refused, so two names never fall together.
 */
export function identifier(name: string): string {
  if (name.length === 0 || Buffer.byteLength(name) > maxIdentifierBytes || name.includes('\0')) {
    throw new Error(`Not usable as an SQL identifier: ${JSON.stringify(name)}`);
  }
  return pg.escapeIdentifier(name);
}

/**
 * A quoted SQL text, for what Quire itself writes into a statement that is to be planned once. Values are parameters.
 */
export function literal(text: string): string {
  if (text.includes('\0')) throw new Error('Not usable as an SQL text: it holds a NUL');
  return pg.escapeLiteral(text);
}

/** `prefix + rest`, shortened with a hash of the whole when PostgreSQL could not keep it. */
export function boundedName(prefix: string, rest: string): string {
  const name = prefix + rest;
  if (Buffer.byteLength(name) <= maxIdentifierBytes) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, maxIdentifierBytes - hash.length - 1)}_${hash}`;
}
