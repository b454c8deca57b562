import { sitePathProblem } from '@quire/values';

/** A path as browsers request it: `path` normalised, `search` with its question mark or empty. */
export interface RequestedPath {
  path: string;
  search: string;
}

/** Longest path, as submitted and normalised: an index cannot hold much longer ones. */
export const maxPathLength = 2_048;

const tooLong = `must have at most ${maxPathLength} characters, escaped ones counted as three`;
const anySite = 'https://site.invalid';
const percentEscapes = /%[0-9a-f]{2}/gi;

/**
 * Checks a path of this site, as source or destination of a redirect (contract 23), with `sitePathProblem` and by its
 * length.
 * @returns the fault, or null.
 */
export function urlPathProblem(text: string): string | null {
  if (text.length > maxPathLength) return tooLong;
  return sitePathProblem(text) ?? (keyLength(text) > maxPathLength ? tooLong : null);
}

/**
 * Normalises a path with its query for comparison: escapes as browsers do, resolves `.` and `..`, removes the fragment.
 * Keeps trailing slashes and upper and lower case.
 * @param text anything that starts with a slash.
 */
export function requestedPath(text: string): RequestedPath {
  const { pathname, search } = new URL(anySite + text);
  return {
    path: inOneCase(pathname).replaceAll('[', '%5B').replaceAll(']', '%5D'),
    search: inOneCase(search),
  };
}

/** `requestedPath` for the source of a rule: keeps brackets, because they may name placeholders. */
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
