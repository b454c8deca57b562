import { invalidInput, type Issue } from '@quire/errors';
import {
  hasPlaceholders,
  patternKey,
  patternPrefix,
  patternProblem,
  prefixesOf,
  unknownPlaceholders,
} from './patterns.js';
import { requestedPath, sourcePath, type RequestedPath } from './url-path.js';

/** Types that say "gone" or "withheld" and lead nowhere. */
const endings = new Set([410, 451]);

/** What decides where a rule leads. */
export interface Rule {
  id: string;
  source: string;
  /** The form by which sources are compared; of a pattern, without the names of its placeholders. */
  sourceKey: string;
  /** Null for a rule of a single path. */
  prefix: string | null;
  destination: string;
  type: number;
}

/** The rule that answers a path, and where it leads: "" for 410 and 451. */
export interface Match {
  rule: Rule;
  destination: string;
}

/**
 * Checks what a rule is to be (contract 23) and works out how it is found.
 * @throws QuireError VALIDATION_ERROR: a misplaced, repeated or unknown placeholder, a destination that is missing or
 * is the source itself.
 */
export function planRule(input: { source: string; destination: string; type: number }): Omit<Rule, 'id'> {
  const { source, type } = input;
  const destination = endings.has(type) ? '' : input.destination;
  const { path, search } = sourcePath(source);
  const isPattern = hasPlaceholders(path);
  const issues = [...sourceIssues(source), ...destinationIssues({ path, destination, type })];
  if (issues.length > 0) throw invalidInput(issues);
  const sourceKey = isPattern ? patternKey(path) : path + search;
  if (destination !== '' && !isPattern && keyOf(requestedPath(destination)) === sourceKey)
    throw invalidInput([{ path: 'destination', message: 'must not be the source' }]);
  return { source, sourceKey, prefix: isPattern ? patternPrefix(path) : null, destination, type };
}

function sourceIssues(source: string): Issue[] {
  if (source.includes('#'))
    return [{ path: 'source', message: 'must not have a fragment: no browser sends it' }];
  const { path, search } = sourcePath(source);
  if (!hasPlaceholders(path)) return [];
  const problem = search === '' ? patternProblem(path) : 'must not have a query to be a pattern';
  return problem === null ? [] : [{ path: 'source', message: problem }];
}

function destinationIssues({ path, destination, type }: { path: string; destination: string; type: number }) {
  if (endings.has(type)) return [];
  if (destination === '') return [{ path: 'destination', message: `is required for ${type}` }];
  return unknownPlaceholders(path, destination).map((token) => ({
    path: 'destination',
    message: `names ${token}, which the source does not`,
  }));
}

/** The text that two paths are compared by. */
export function keyOf({ path, search }: RequestedPath): string {
  return path + search;
}

/** What the rules that may answer a path are looked up by. */
export function lookupOf(requested: RequestedPath): { keys: string[]; prefixes: string[] } {
  return { keys: [...new Set([keyOf(requested), requested.path])], prefixes: prefixesOf(requested.path) };
}
