import {
  hasPlaceholders,
  patternKey,
  patternPrefix,
  patternProblem,
  unknownPlaceholders,
} from './patterns.js';
import { requestedPath, sourcePath, type RequestedPath } from './url-path.js';

/** The statuses with which a rule answers. */
export const redirectTypes = [301, 302, 307, 308, 410, 451] as const;

/** Types without a destination: 410 Gone, 451 Unavailable For Legal Reasons. */
const typesWithoutDestination: ReadonlySet<number> = new Set([410, 451]);

export function hasRedirectDestination(type: number): boolean {
  return !typesWithoutDestination.has(type);
}

/** A fault of a rule, with the property that has it. */
export interface RedirectProblem {
  path: 'source' | 'destination';
  message: string;
}

/** The keys by which the rule of a path is found. */
export interface SourceKeys {
  /** The form in which sources are compared; of a pattern, without the names of its placeholders. */
  sourceKey: string;
  /** Of a pattern, the prefix of every path that it matches; null for a rule of a single path. */
  prefix: string | null;
}

/**
 * The faults of a rule whose source and destination are paths of the site (contract 23): misplaced, repeated or unknown
 * placeholders, a destination that is missing or is the source itself.
 */
export function redirectProblems(rule: {
  source: string;
  destination: string;
  type: number;
}): RedirectProblem[] {
  const { source, destination } = rule;
  const problems = [...sourceProblems(source), ...destinationProblems(rule)];
  if (problems.length > 0) return problems;
  const { sourceKey, prefix } = sourceKeysOf(source);
  const isSource = destination !== '' && prefix === null && keyOf(requestedPath(destination)) === sourceKey;
  return isSource ? [{ path: 'destination', message: 'must not be the source' }] : [];
}

/** The lookup keys of the rule with a source: anything that starts with a slash. */
export function sourceKeysOf(source: string): SourceKeys {
  const { path, search } = sourcePath(source);
  if (!hasPlaceholders(path)) return { sourceKey: path + search, prefix: null };
  return { sourceKey: patternKey(path), prefix: patternPrefix(path) };
}

/** The text by which two paths are compared. */
export function keyOf({ path, search }: RequestedPath): string {
  return path + search;
}

function sourceProblems(source: string): RedirectProblem[] {
  if (source.includes('#'))
    return [{ path: 'source', message: 'must not have a fragment: no browser sends it' }];
  const { path, search } = sourcePath(source);
  if (!hasPlaceholders(path)) return [];
  const problem = search === '' ? patternProblem(path) : 'must not have a query to be a pattern';
  return problem === null ? [] : [{ path: 'source', message: problem }];
}

function destinationProblems({
  source,
  destination,
  type,
}: {
  source: string;
  destination: string;
  type: number;
}): RedirectProblem[] {
  if (!hasRedirectDestination(type)) return [];
  if (destination === '') return [{ path: 'destination', message: `is required for ${type}` }];
  return unknownPlaceholders(sourcePath(source).path, destination).map((token) => ({
    path: 'destination' as const,
    message: `names ${token}, which the source does not`,
  }));
}
