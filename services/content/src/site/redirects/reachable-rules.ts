import { keyOf, requestedPath, textBeforePlaceholders, type RequestedPath } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { selectRules, selectRulesOfPaths, selectRulesOfStarts } from './redirects.repository.js';
import type { Rule } from './rules.js';

/** Up to this length the steps of a chain are looked up one by one; for a longer chain all rules are read at once. */
export const lookupSteps = 20;

/** Of more rules than this, the destinations are not looked up one by one: all rules are read at once. */
const maxLookups = 5_000;

/** What is left out of the rules that patterns may lead to. */
interface Limits {
  /** Of the rules that only some values of a pattern lead to, the patterns only. */
  onlyPatterns: boolean;
  /** The number of rules of one look-up. */
  limit: number | null;
}

/** Where rules lead: to single paths, and to all paths with some start. */
interface Destinations {
  paths: Map<string, RequestedPath>;
  starts: Set<string>;
}

/**
 * Reads the enabled rules that redirects from the given rules may lead to, in one or more steps: a pattern leads to all
 * rules of paths that begin as its destination does before its first placeholder.
 * @returns those rules, and the given ones; without a limit all rules where they are many.
 */
export async function selectReachableRules(
  sql: Queryable,
  rules: readonly Rule[],
  limits: Limits = { onlyPatterns: false, limit: null },
): Promise<Rule[]> {
  const reached = new Map(rules.map((rule) => [rule.id, rule]));
  const known: Destinations = { paths: new Map(), starts: new Set() };
  const { onlyPatterns, limit } = limits;
  let added = rules;
  for (let step = 0; added.length > 0; step += 1) {
    if (limit !== null && (reached.size >= limit || step === lookupSteps)) break;
    const { paths, starts } = newDestinations(added, known);
    const wanted = { starts: [...starts], onlyPatterns, limit: limit ?? maxLookups + 1 };
    const found = [
      ...(paths.size > 0 ? await selectRulesOfPaths(sql, [...paths.values()]) : []),
      ...(starts.size > 0 ? await selectRulesOfStarts(sql, wanted) : []),
    ];
    if (limit === null && (step === lookupSteps || found.length > maxLookups)) return selectRules(sql);
    added = found.filter(({ id }) => !reached.has(id));
    for (const rule of added) reached.set(rule.id, rule);
  }
  return [...reached.values()];
}

/** The destinations of rules that are not known yet; adds them to the known ones. */
function newDestinations(rules: readonly Rule[], known: Destinations): Destinations {
  const found: Destinations = { paths: new Map(), starts: new Set() };
  for (const rule of rules) {
    const { path, start } = destinationOf(rule);
    if (path && !known.paths.has(keyOf(path))) {
      known.paths.set(keyOf(path), path);
      found.paths.set(keyOf(path), path);
    }
    if (start !== undefined && !hasStartOf(start, known.starts)) {
      known.starts.add(start);
      found.starts.add(start);
    }
  }
  return found;
}

/** The path that a rule leads to, or the start of the paths; of one with a value in its query both. */
function destinationOf({ prefix, destination }: Rule): { path?: RequestedPath; start?: string } {
  if (destination === '') return {};
  const text = prefix === null ? destination : textBeforePlaceholders(destination);
  if (text === destination || text.includes('#')) return { path: requestedPath(text) };
  // A value may complete an escape.
  const start = keyOf(requestedPath(text.replace(/%.?$/, '')));
  return text.includes('?') ? { path: requestedPath(text.replace(/\?.*$/s, '')), start } : { start };
}

/** Whether a text begins with one of the starts. */
function hasStartOf(text: string, starts: ReadonlySet<string>): boolean {
  for (let length = 1; length <= text.length; length += 1) if (starts.has(text.slice(0, length))) return true;
  return false;
}
