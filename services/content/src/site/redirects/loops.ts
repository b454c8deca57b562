import { keyOf, maxPathLength, requestedPath, type RequestedPath } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { EventLoopYielder, examplePaths } from './example-paths.js';
import { lookupSteps, selectReachableRules } from './reachable-rules.js';
import { selectMatchingRules, selectRules, selectRulesOfPaths } from './redirects.repository.js';
import { bestMatch, RuleTree, type Find } from './rule-tree.js';
import type { Match, Rule } from './rules.js';

/** Nodes of patterns visited to find values that run into loops: in total, and at least per pattern. */
const patternWorkBudget = { total: 200_000, least: 50 };

/** Limits of the search for loops of the rules on a page. */
const pageLimits = { steps: 100, patterns: 1_000, work: 5_000, examplesOfPattern: 10 };

/**
 * Whether following a stored, enabled rule never ends. The caller holds the rule lock, so that no concurrent writer
 * closes the loop. `findLoopingRules` describes the detected loops of patterns.
 */
export async function isInLoop(sql: Queryable, rule: Rule): Promise<boolean> {
  if (rule.destination === '') return false;
  if (rule.prefix === null) return (await findLoop(sql, rule.source)).length > 0;
  const looping = await findLoopingRules(await selectReachableRules(sql, [rule]), [rule]);
  return looping.has(rule.id);
}

/**
 * Finds the loops that rules of a page are part of or lead into, by looking up the steps of all at once. A pattern is
 * followed with values for which it and other patterns form a loop; a loop with a rule of a single path is found from
 * that rule. Loops of more than 100 rules, and of patterns that lead to more than 1,000 others, may be left out.
 * @returns the ids of the rules.
 */
export async function findLoopsOfPage(sql: Queryable, rules: readonly Rule[]): Promise<Set<string>> {
  const patterns = rules.filter(({ prefix }) => prefix !== null);
  const starts = [
    ...rules.filter(({ prefix }) => prefix === null).map(({ sourceKey }) => sourceKey),
    ...(patterns.length > 0 ? await findLoopingExamples(sql, patterns) : []),
  ];
  let chains = starts.map((start) => new Chain(start));
  const looping = new Set<string>();
  for (let step = 0; step < pageLimits.steps; step += 1) {
    const open = chains.flatMap((chain) => {
      const requested = chain.next();
      for (const id of chain.loop) looping.add(id);
      return requested ? [{ chain, requested }] : [];
    });
    chains = open.map(({ chain }) => chain);
    if (chains.length === 0) break;
    const paths = new Map(open.map(({ requested }) => [keyOf(requested), requested]));
    const tree = new RuleTree(await selectRulesOfPaths(sql, [...paths.values()]));
    for (const { chain, requested } of open) chain.follow(tree.find(requested));
  }
  for (const chain of chains) for (const id of chain.repeatedRules()) looping.add(id);
  return looping;
}

/** @returns paths that patterns redirect in a loop, unless a rule of a single path leads out of it. */
async function findLoopingExamples(sql: Queryable, patterns: readonly Rule[]): Promise<string[]> {
  const limits = { onlyPatterns: true, limit: pageLimits.patterns };
  const { tree, find, yielder } = await buildRuleTree(await selectReachableRules(sql, patterns, limits));
  const share = Math.floor(pageLimits.work / patterns.length);
  const found: string[] = [];
  for (const pattern of patterns) {
    let count = 0;
    for await (const path of examplePaths(pattern, { tree, find, yielder, work: { left: share } })) {
      if (((await traceRedirects(path, find)) ?? []).length === 0) continue;
      found.push(path);
      count += 1;
      if (count === pageLimits.examplesOfPattern) break;
    }
  }
  return found;
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
  const chain = new Chain(start, known);
  for (let step = 0; step < maxSteps; step += 1) {
    const requested = chain.next();
    if (!requested) return chain.loop;
    chain.follow(await find(requested));
  }
  return undefined;
}

/** A path, and the paths that rules redirect it to, step by step. */
class Chain {
  /** The ids of the rules of the loop that the chain has run into. */
  loop: string[] = [];
  /** The ids of the rules by the path that each matched. */
  private readonly trail = new Map<string, string>();
  private path: string | undefined;

  constructor(
    start: string,
    private readonly known = new Set<string>(),
  ) {
    this.path = start;
  }

  /** @returns the path to find the rule of; undefined when the chain has ended. */
  next(): RequestedPath | undefined {
    if (this.path === undefined) return undefined;
    if (this.path.length > maxPathLength) return this.end(this.repeatedRules());
    const requested = requestedPath(this.path);
    const key = keyOf(requested);
    if (this.trail.has(key)) {
      const start = [...this.trail.keys()].indexOf(key);
      return this.end([...this.trail.values()].slice(start));
    }
    if (this.known.has(key)) return this.end([]);
    this.known.add(key);
    return requested;
  }

  /** Takes the step that the rule of the last path makes. */
  follow(match: Match | undefined): void {
    if (this.path === undefined) return;
    const key = keyOf(requestedPath(this.path));
    this.path = match?.destination || undefined;
    if (match && this.path !== undefined) this.trail.set(key, match.rule.id);
  }

  /** @returns the ids of the rules that made more than one of the steps: those of a chain that grows. */
  repeatedRules(): string[] {
    const seen = new Set<string>();
    return [...this.trail.values()].filter((id) => seen.has(id) || !seen.add(id));
  }

  private end(loop: string[]): undefined {
    this.loop = loop;
    this.path = undefined;
  }
}
