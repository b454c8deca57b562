import { sitePathProblem } from '@quire/content-model';

/** A path as a browser asks for it: `path` in its one spelling, `search` with its question mark or empty. */
export interface RequestedPath {
  path: string;
  search: string;
}

/** Longest path, as it is sent and in its one spelling: an index cannot hold much longer ones. */
export const maxPathLength = 2_048;

const tooLong = `must have at most ${maxPathLength} characters, escaped ones counted as three`;
const anySite = 'https://site.invalid';
const percentEscapes = /%[0-9a-f]{2}/gi;

/**
 * What is wrong with a path of this site, as source or destination of a redirect (contract 23): what `sitePathProblem`
 * tells, and its length.
 * @returns the fault, or null.
 */
export function urlPathProblem(text: string): string | null {
  if (text.length > maxPathLength) return tooLong;
  return sitePathProblem(text) ?? (keyLength(text) > maxPathLength ? tooLong : null);
}

/**
 * Brings a path (with its query, if it has one) into the one spelling that paths are compared in: what a browser
 * escapes is escaped, `.` and `..` are resolved, the fragment is gone. Trailing slashes and upper and lower case stay.
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
