import pg from 'pg';
import { createHash } from 'node:crypto';

const maxIdentifierBytes = 63;

/**
 * A quoted SQL identifier, for names that Quire generates or that match a slug pattern. Names that PostgreSQL would
 * truncate or that contain a NUL are errors, so two names never collide.
 */
export function identifier(name: string): string {
  if (name.length === 0 || Buffer.byteLength(name) > maxIdentifierBytes || name.includes('\0')) {
    throw new Error(`Not usable as an SQL identifier: ${JSON.stringify(name)}`);
  }
  return pg.escapeIdentifier(name);
}

/** A quoted SQL text, for constants of the code in a prepared statement. Values are parameters. */
export function literal(text: string): string {
  if (text.includes('\0')) throw new Error('Not usable as an SQL text: it holds a NUL');
  return pg.escapeLiteral(text);
}

/** `prefix + rest`, shortened with a hash of the whole text when it exceeds PostgreSQL's maximum. */
export function boundedName(prefix: string, rest: string): string {
  const name = prefix + rest;
  if (Buffer.byteLength(name) <= maxIdentifierBytes) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, maxIdentifierBytes - hash.length - 1)}_${hash}`;
}

/** The LIKE pattern of texts that contain this one; wildcards in it are escaped. */
export const likeContaining = (text: string): string => `%${escapePattern(text)}%`;

/** The pattern of LIKE for values that begin with a text. */
export const likeStarting = (text: string): string => `${escapePattern(text)}%`;

const escapePattern = (text: string) => text.replace(/[\\%_]/g, '\\$&');
