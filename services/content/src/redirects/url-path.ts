import { isStorableText } from '@quire/content-model';

/** A path as a browser asks for it: `path` in its one spelling, `search` with its question mark or empty. */
export interface RequestedPath {
  path: string;
  search: string;
}

/** Longest path, as it is sent and in its one spelling: an index cannot hold much longer ones. */
export const maximumPathLength = 2_048;

const tooLong = `must have at most ${maximumPathLength} characters, escaped ones counted as three`;
const anySite = 'https://site.invalid';
const controlCharacter = /\p{Cc}/u;
const percentEscapes = /%[0-9a-f]{2}/gi;

/**
 * What is wrong with a path of this site, as source or destination of a redirect (contract 23): it starts with exactly one
 * slash, also for those who decode it or who read a backslash as a slash, climbs nowhere, and carries no control character.
 * @returns the fault, or null.
 */
export function urlPathProblem(text: string): string | null {
  if (text.length > maximumPathLength) return tooLong;
  return safetyProblem(text) ?? (keyLength(text) > maximumPathLength ? tooLong : null);
}

/** As `urlPathProblem`, for a path of any length. */
export function safetyProblem(text: string): string | null {
  if (!text.startsWith('/')) return 'must start with a slash';
  if (!isStorableText(text) || controlCharacter.test(text)) return 'must not contain control characters';
  const path = text.split(/[?#]/, 1)[0] ?? '';
  if (path.includes('\\')) return 'must not contain backslashes';
  const decoded = path.replace(percentEscapes, (escape) =>
    String.fromCharCode(parseInt(escape.slice(1), 16)),
  );
  if (/^[/\\]{2}/.test(decoded)) return 'must start with one slash';
  if (/[\r\n]/.test(decoded)) return 'must not contain line breaks';
  if (decoded.split(/[/\\]/).includes('..')) return 'must not contain ".." segments';
  return null;
}

/**
 * Brings a path (with its query, if it has one) into the one spelling that paths are compared in: what a browser escapes is
 * escaped, `.` and `..` are resolved, the fragment is gone. Trailing slashes and upper and lower case stay.
 * @param text anything that starts with a slash.
 */
export function requestedPath(text: string): RequestedPath {
  const { pathname, search } = new URL(anySite + text);
  return {
    path: inOneCase(pathname).replaceAll('[', '%5B').replaceAll(']', '%5D'),
    search: inOneCase(search),
  };
}

/** As `requestedPath`, for the source of a rule: brackets stay, because they may name placeholders. */
export function sourcePath(text: string): RequestedPath {
  const { pathname, search } = new URL(anySite + text);
  return { path: inOneCase(pathname), search: inOneCase(search) };
}

function keyLength(text: string): number {
  const { path, search } = requestedPath(text);
  return path.length + search.length;
}

function inOneCase(text: string): string {
  return text.replace(percentEscapes, (escape) => escape.toUpperCase());
}
