import { keyOf, maxPathLength, requestedPath } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { EventLoopYielder, examplePaths } from './example-paths.js';
import { selectRules, selectMatchingRules } from './redirects.repository.js';
import { bestMatch, RuleTree, type Find } from './rule-tree.js';
import type { Rule } from './rules.js';

/** Up to this length each step of a chain is looked up; for a longer chain all rules are read at once. */
const lookupSteps = 20;

/** Nodes of patterns visited to find values that run into loops: in total, and at least per pattern. */
const patternWorkBudget = { total: 200_000, least: 50 };

/**
 * Whether following a stored, enabled rule never ends. The caller holds the rule lock, so that no concurrent writer
 * closes the loop. `findLoopingRules` describes the detected loops of patterns.
 */
export async function isInLoop(sql: Queryable, rule: Rule): Promise<boolean> {
  if (rule.destination === '') return false;
  if (rule.prefix === null) return (await findLoop(sql, rule.source)).length > 0;
  const looping = await findLoopingRules(await selectRules(sql), [rule]);
  return looping.has(rule.id);
}

/** @returns the ids of the rules that form the loop which a path runs into; none when the path ends. */
export async function findLoop(sql: Queryable, path: string): Promise<string[]> {
  const lookUp: Find = async (requested) => bestMatch(await selectMatchingRules(sql, requested), requested);
  const loop = await traceRedirects(path, lookUp, { maxSteps: lookupSteps });
  if (loop) return loop;
  const { find } = await buildRuleTree(await selectRules(sql));
  return (await traceRedirects(path, find)) ?? [];
}

/**
 * Finds rules that form a loop, or redirect along ever longer paths. A pattern is followed with values that no rule
 * names and, within a work budget, with values that match other rules. Yields to the event loop regularly.
 * @param suspects the patterns to check; loops of other rules are reported where they are met.
 * @returns the ids of the rules.
 */
export async function findLoopingRules(
  rules: readonly Rule[],
  suspects: readonly Rule[] = rules,
): Promise<Set<string>> {
  const { tree, find, yielder } = await buildRuleTree(rules);
  const looping = new Set<string>();
  const known = new Set<string>();
  const trace = async (path: string) => {
    for (const id of (await traceRedirects(path, find, { known })) ?? []) looping.add(id);
  };
  for (const rule of rules) if (rule.prefix === null) await trace(rule.sourceKey);
  const patterns = suspects.filter(({ prefix }) => prefix !== null);
  const share = Math.max(patternWorkBudget.least, Math.floor(patternWorkBudget.total / patterns.length));
  for (const pattern of patterns) {
    const tools = { tree, find, yielder, work: { left: share } };
    for await (const path of examplePaths(pattern, tools)) {
      await trace(path);
      if (looping.has(pattern.id)) break;
    }
  }
  return looping;
}

async function buildRuleTree(
  rules: readonly Rule[],
): Promise<{ tree: RuleTree; find: Find; yielder: EventLoopYielder }> {
  const tree = new RuleTree();
  const yielder = new EventLoopYielder();
  for (const rule of rules) {
    await yielder.yieldIfDue();
    tree.add(rule);
  }
  const find: Find = async (requested) => {
    await yielder.yieldIfDue();
    return tree.find(requested);
  };
  return { tree, find, yielder };
}

/**
 * Follows a path until it ends, repeats, grows past the longest path, or reaches a path that was followed before.
 * @param options.known paths that were followed before; this call adds its own
 * @returns the ids of the rules of the loop, none when the path ends; undefined after `maxSteps`.
 */
async function traceRedirects(
  start: string,
  find: Find,
  { known = new Set(), maxSteps = Infinity }: { known?: Set<string> | undefined; maxSteps?: number } = {},
): Promise<string[] | undefined> {
  const trail = new Map<string, string>();
  let next = start;
  for (let step = 0; step < maxSteps; step += 1) {
    if (next.length > maxPathLength) return repeated([...trail.values()]);
    const requested = requestedPath(next);
    const key = keyOf(requested);
    if (trail.has(key)) return [...trail.values()].slice([...trail.keys()].indexOf(key));
    if (known.has(key)) return [];
    known.add(key);
    const match = await find(requested);
    if (!match?.destination) return [];
    trail.set(key, match.rule.id);
    next = match.destination;
  }
  return undefined;
}

function repeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.has(id) || !seen.add(id));
}
