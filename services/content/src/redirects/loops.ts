import { randomBytes } from 'node:crypto';
import type { Sql } from '@quire/database';
import { examplePath } from './patterns.js';
import { allRules, matchingRules } from './redirects.repository.js';
import { bestMatch, keyOf, lookupOf, type Match, type Rule } from './rules.js';
import { maximumPathLength, requestedPath, sourcePath } from './url-path.js';

/** A chain up to this length is followed by looking up each step; for a longer one all rules are read at once. */
const lookupSteps = 20;

/**
 * Whether following a stored, enabled rule never ends. The caller holds the turn to write redirects, so that no other
 * writer adds the rule that would close the loop. A pattern is followed with values that no rule names, and with those
 * that other rules lead into it; a loop that only some values of two patterns at once run into is not seen.
 */
export async function isInLoop(sql: Sql, rule: Rule): Promise<boolean> {
  if (rule.destination === '') return false;
  if (rule.prefix === null) {
    const ending = await followByLookup(sql, rule.source);
    if (ending !== 'longer') return ending === 'loop';
  }
  return rulesInLoops(await allRules(sql)).has(rule.id);
}

async function followByLookup(sql: Sql, start: string): Promise<'end' | 'loop' | 'longer'> {
  const seen = new Set<string>();
  let next = start;
  for (let step = 0; step < lookupSteps; step += 1) {
    if (next.length > maximumPathLength) return 'longer';
    const requested = requestedPath(next);
    if (seen.has(keyOf(requested))) return 'loop';
    seen.add(keyOf(requested));
    const match = bestMatch(await matchingRules(sql, requested), requested);
    if (!match?.destination) return 'end';
    next = match.destination;
  }
  return 'longer';
}

/** The ids of the rules that lead round in a circle, or on and on along paths that grow. */
export function rulesInLoops(rules: readonly Rule[]): Set<string> {
  const find = finderOf(rules);
  const known = new Set<string>();
  const looping = new Set<string>();
  // No rule that was stored before names it.
  const anyValue = randomBytes(8).toString('hex');
  for (const rule of rules) {
    const { path, search } = sourcePath(rule.source);
    for (const id of loopFrom(examplePath(path, anyValue) + search, find, known)) looping.add(id);
  }
  return looping;
}

/** Follows a path until it ends, comes back, outgrows every limit, or reaches what was followed before. */
function loopFrom(start: string, find: (path: string) => Match | undefined, known: Set<string>): string[] {
  const trail = new Map<string, string>();
  let next = start;
  for (;;) {
    if (next.length > maximumPathLength) return repeated([...trail.values()]);
    const key = keyOf(requestedPath(next));
    if (trail.has(key)) return [...trail.values()].slice([...trail.keys()].indexOf(key));
    if (known.has(key)) return [];
    known.add(key);
    const match = find(next);
    if (!match?.destination) return [];
    trail.set(key, match.rule.id);
    next = match.destination;
  }
}

function repeated(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) < index);
}

function finderOf(rules: readonly Rule[]): (path: string) => Match | undefined {
  const byKey = new Map<string, Rule>();
  const byPrefix = new Map<string, Rule[]>();
  for (const rule of rules) {
    if (rule.prefix === null) byKey.set(rule.sourceKey, rule);
    else byPrefix.set(rule.prefix, [...(byPrefix.get(rule.prefix) ?? []), rule]);
  }
  return (path) => {
    const requested = requestedPath(path);
    const { keys, prefixes } = lookupOf(requested);
    const exact = keys.flatMap((key) => byKey.get(key) ?? []);
    return bestMatch([...exact, ...prefixes.flatMap((prefix) => byPrefix.get(prefix) ?? [])], requested);
  };
}
