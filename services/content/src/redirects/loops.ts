import type { Sql } from '@quire/database';
import { examplePaths } from './example-paths.js';
import { allRules, matchingRules } from './redirects.repository.js';
import { bestMatch, RuleTree, type Find } from './rule-tree.js';
import { keyOf, type Rule } from './rules.js';
import { Turns } from './turns.js';
import { maximumPathLength, requestedPath } from './url-path.js';

/** A chain up to this length is followed by looking up each step; for a longer one all rules are read at once. */
const lookupSteps = 20;

/** How many places of patterns are looked at to find the values that run into loops: in all, and at least for each. */
const patternWork = { total: 200_000, least: 50 };

/**
 * Whether following a stored, enabled rule never ends. The caller holds the turn to write redirects, so that no other
 * writer adds the rule that would close the loop. See `rulesInLoops` for what is seen of patterns.
 */
export async function isInLoop(sql: Sql, rule: Rule): Promise<boolean> {
  if (rule.destination === '') return false;
  if (rule.prefix === null) return (await loopFrom(sql, rule.source)).length > 0;
  const looping = await rulesInLoops(await allRules(sql), [rule]);
  return looping.has(rule.id);
}

/** The ids of the rules that a path is led round by without end; none when it ends. */
export async function loopFrom(sql: Sql, path: string): Promise<string[]> {
  const lookUp: Find = async (requested) => bestMatch(await matchingRules(sql, requested), requested);
  const loop = await follow(path, lookUp, { maximumSteps: lookupSteps });
  if (loop) return loop;
  const { find } = await arrange(await allRules(sql));
  return (await follow(path, find)) ?? [];
}

/**
 * The ids of the rules that lead round in a circle, or on and on along paths that grow. A pattern is followed with values
 * that no rule names, and, within a bounded amount of work, with those that lead it into other rules. Others can work
 * meanwhile, however many rules there are.
 * @param suspects the patterns that are asked about; the loops of others are named where they are met.
 */
export async function rulesInLoops(
  rules: readonly Rule[],
  suspects: readonly Rule[] = rules,
): Promise<Set<string>> {
  const { tree, find, turns } = await arrange(rules);
  const looping = new Set<string>();
  const known = new Set<string>();
  const see = async (path: string) => {
    for (const id of (await follow(path, find, { known })) ?? []) looping.add(id);
  };
  for (const rule of rules) if (rule.prefix === null) await see(rule.sourceKey);
  const patterns = suspects.filter(({ prefix }) => prefix !== null);
  const share = Math.max(patternWork.least, Math.floor(patternWork.total / patterns.length));
  for (const pattern of patterns) {
    const tools = { tree, find, turns, work: { left: share } };
    for await (const path of examplePaths(pattern, tools)) {
      await see(path);
      if (looping.has(pattern.id)) break;
    }
  }
  return looping;
}

async function arrange(rules: readonly Rule[]): Promise<{ tree: RuleTree; find: Find; turns: Turns }> {
  const tree = new RuleTree();
  const turns = new Turns();
  for (const rule of rules) {
    await turns.step();
    tree.add(rule);
  }
  const find: Find = async (requested) => {
    await turns.step();
    return tree.find(requested);
  };
  return { tree, find, turns };
}

/**
 * Follows a path until it ends, comes back, outgrows every limit, or reaches what was followed before.
 * @param options.known what was followed before; what is followed now is added
 * @returns the ids of the rules that it goes round by, none when it ends; undefined when the steps did not suffice.
 */
async function follow(
  start: string,
  find: Find,
  {
    known = new Set(),
    maximumSteps = Infinity,
  }: { known?: Set<string> | undefined; maximumSteps?: number } = {},
): Promise<string[] | undefined> {
  const trail = new Map<string, string>();
  let next = start;
  for (let step = 0; step < maximumSteps; step += 1) {
    if (next.length > maximumPathLength) return repeated([...trail.values()]);
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
