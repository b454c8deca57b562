import type { Queryable } from '@quire/database';
import { examplePaths } from './example-paths.js';
import { selectRules, selectMatchingRules } from './redirects.repository.js';
import { bestMatch, RuleTree, type Find } from './rule-tree.js';
import { keyOf, type Rule } from './rules.js';
import { EventLoopYielder } from './yield-to-event-loop.js';
import { maxPathLength, requestedPath } from './url-path.js';

/** A chain up to this length is followed by looking up each step; for a longer one all rules are read at once. */
const lookupSteps = 20;

/** How many places of patterns are looked at to find the values that run into loops: in all, and at least for each. */
const patternWorkBudget = { total: 200_000, least: 50 };

/**
 * Whether following a stored, enabled rule never ends. The caller holds the turn to write redirects, so that no other
 * writer adds the rule that would close the loop. See `findLoopingRules` for what is seen of patterns.
 */
export async function isInLoop(sql: Queryable, rule: Rule): Promise<boolean> {
  if (rule.destination === '') return false;
  if (rule.prefix === null) return (await findLoop(sql, rule.source)).length > 0;
  const looping = await findLoopingRules(await selectRules(sql), [rule]);
  return looping.has(rule.id);
}

/** The ids of the rules that a path is led round by without end; none when it ends. */
export async function findLoop(sql: Queryable, path: string): Promise<string[]> {
  const lookUp: Find = async (requested) => bestMatch(await selectMatchingRules(sql, requested), requested);
  const loop = await traceRedirects(path, lookUp, { maxSteps: lookupSteps });
  if (loop) return loop;
  const { find } = await buildRuleTree(await selectRules(sql));
  return (await traceRedirects(path, find)) ?? [];
}

/**
 * The ids of the rules that lead round in a circle, or on and on along paths that grow. A pattern is followed with
 * values that no rule names, and, within a bounded amount of work, with those that lead it into other rules. Others can
 * work meanwhile, however many rules there are.
 * @param suspects the patterns that are asked about; the loops of others are named where they are met.
 */
export async function findLoopingRules(
  rules: readonly Rule[],
  suspects: readonly Rule[] = rules,
): Promise<Set<string>> {
  const { tree, find, yielder } = await buildRuleTree(rules);
  const looping = new Set<string>();
  const known = new Set<string>();
  const see = async (path: string) => {
    for (const id of (await traceRedirects(path, find, { known })) ?? []) looping.add(id);
  };
  for (const rule of rules) if (rule.prefix === null) await see(rule.sourceKey);
  const patterns = suspects.filter(({ prefix }) => prefix !== null);
  const share = Math.max(patternWorkBudget.least, Math.floor(patternWorkBudget.total / patterns.length));
  for (const pattern of patterns) {
    const tools = { tree, find, yielder, work: { left: share } };
    for await (const path of examplePaths(pattern, tools)) {
      await see(path);
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
 * Follows a path until it ends, comes back, outgrows every limit, or reaches what was followed before.
 * @param options.known what was followed before; what is followed now is added
 * @returns the ids of the rules that it goes round by, none when it ends; undefined when the steps did not suffice.
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
  const once = new Set<string>();
  return ids.filter((id) => once.has(id) || !once.add(id));
}
