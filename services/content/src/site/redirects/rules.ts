import type { Row } from '@quire/database';
import { invalidInput, type Issue } from '@quire/errors';
import {
  hasPlaceholders,
  patternKey,
  patternPrefix,
  patternProblem,
  prefixesOf,
  unknownPlaceholders,
} from './patterns.js';
import type { Redirect } from './redirect.entity.js';
import { requestedPath, sourcePath, type RequestedPath } from './url-path.js';

/** Types without a destination: 410 Gone, 451 Unavailable For Legal Reasons. */
const typesWithoutDestination = new Set([410, 451]);

/** The columns of a redirect that decide which paths it matches and where it leads. */
export const ruleProperties = ['id', 'source', 'sourceKey', 'prefix', 'destination', 'type'] as const;
export type Rule = Pick<Row<Redirect>, (typeof ruleProperties)[number]>;

/** The rule that matches a path, and its destination for that path: "" for 410 and 451. */
export interface Match {
  rule: Rule;
  destination: string;
}

/**
 * Validates a rule (contract 23) and computes its lookup keys.
 * @throws QuireError VALIDATION_ERROR: a misplaced, repeated or unknown placeholder, a destination that is missing or
 *   is the source itself.
 */
export function planRule(input: { source: string; destination: string; type: number }): Omit<Rule, 'id'> {
  const { source, type } = input;
  const destination = typesWithoutDestination.has(type) ? '' : input.destination;
  const { path } = sourcePath(source);
  const issues = [...sourceIssues(source), ...destinationIssues({ path, destination, type })];
  if (issues.length > 0) throw invalidInput(issues);
  const { sourceKey, prefix } = sourceKeysOf(source);
  if (destination !== '' && prefix === null && keyOf(requestedPath(destination)) === sourceKey)
    throw invalidInput([{ path: 'destination', message: 'must not be the source' }]);
  return { source, sourceKey, prefix, destination, type };
}

/** The lookup keys of the rule with a valid source. */
export function sourceKeysOf(source: string): Pick<Rule, 'sourceKey' | 'prefix'> {
  const { path, search } = sourcePath(source);
  if (!hasPlaceholders(path)) return { sourceKey: path + search, prefix: null };
  return { sourceKey: patternKey(path), prefix: patternPrefix(path) };
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
  if (typesWithoutDestination.has(type)) return [];
  if (destination === '') return [{ path: 'destination', message: `is required for ${type}` }];
  return unknownPlaceholders(path, destination).map((token) => ({
    path: 'destination',
    message: `names ${token}, which the source does not`,
  }));
}

/** The text by which two paths are compared. */
export function keyOf({ path, search }: RequestedPath): string {
  return path + search;
}

/** The lookup keys of the rules that may match a path. */
export function lookupOf(requested: RequestedPath): { keys: string[]; prefixes: string[] } {
  return { keys: [...new Set([keyOf(requested), requested.path])], prefixes: prefixesOf(requested.path) };
}
