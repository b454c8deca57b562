import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  maxPathLength,
  maxPatternSegments,
  requestedPath,
  segmentsOf,
  sourcePath,
} from '@quire/content-model';
import type { RuleNode, Find, RuleTree } from './rule-tree.js';
import type { Rule } from './rules.js';

/** Redirects followed from an example while looking for values that match other patterns. */
const maxRedirectSteps = 30;

/** Steps between two yields. */
const stepsPerYield = 250;

type Kind = 'one' | 'rest';

/** A random segment that represents any value: no rule can name it. */
const secret = randomBytes(8).toString('hex');
const anyValue = (kind: Kind, index: number) => `${secret}-${index}-${kind}`;
const anyValues = new RegExp(`${secret}-\\d+-(one|rest)`);
/** A further segment of a rest; the segments of an example are named by their index. */
const extraSegmentValue = anyValue('one', maxPathLength);

/** Yields to the event loop during work on many rules. */
export class EventLoopYielder {
  private steps = 0;

  /** To be awaited before each step: lets the event loop run every few steps. */
  async yieldIfDue(): Promise<void> {
    this.steps += 1;
    if (this.steps % stepsPerYield === 0) await setImmediate();
  }
}

/** Shared state of one search for examples. */
export interface ExampleTools {
  tree: RuleTree;
  find: Find;
  yielder: EventLoopYielder;
  /** Nodes of patterns that may still be visited: the possible examples are unbounded. */
  work: { left: number };
}

/**
 * Paths that a pattern matches: first with values that no rule names, then with values for which the path, or a path
 * that it redirects to, matches other patterns. A pattern `/a/[x]` to `/b/[x]` gives `/a/q` too where there is a
 * pattern `/b/q/[y]` or `/[z]/q`. A segment made of several placeholders is not split.
 */
export async function* examplePaths(pattern: Rule, tools: ExampleTools): AsyncGenerator<string> {
  const examples = [exampleOf(pattern)];
  const known = new Set(examples);
  for (const example of examples) {
    yield example;
    for await (const path of pathsFrom(example, tools)) {
      for (const other of await findOverlappingExamples(path, example, tools)) {
        const named = normaliseExample(other);
        if (known.has(named) || named.split('/').length > maxPatternSegments) continue;
        known.add(named);
        examples.push(named);
      }
    }
    if (tools.work.left <= 0) return;
  }
}

function exampleOf({ source }: Rule): string {
  const segments = segmentsOf(sourcePath(source).path);
  return asPath(segments.map((one, index) => ('text' in one ? one.text : anyValue(one.kind, index))));
}

/** Examples that differ only in the names of their values become the same. */
function normaliseExample(path: string): string {
  const parts = partsOf(path);
  return asPath(
    parts.map((part, index) => part.replace(anyValues, (_, kind: Kind) => anyValue(kind, index))),
  );
}

/** A path, and the paths that rules redirect it to. */
async function* pathsFrom(start: string, { find, work }: ExampleTools): AsyncGenerator<string> {
  let next = start;
  for (let step = 0; step < maxRedirectSteps && next.length <= maxPathLength; step += 1) {
    work.left -= 1;
    const requested = requestedPath(next);
    yield requested.path;
    const match = await find(requested);
    if (!match?.destination) return;
    next = match.destination;
  }
}

/** A node of the patterns that a path reaches, the remaining segments of the path, and the example that reaches it. */
interface SearchState {
  node: RuleNode;
  parts: readonly string[];
  example: string;
}

/** Variants of an example for which the path that it redirects to matches further patterns. */
async function findOverlappingExamples(path: string, example: string, { tree, yielder, work }: ExampleTools) {
  const found: string[] = [];
  const open: SearchState[] = [{ node: tree.patterns, parts: partsOf(path), example }];
  for (let state = open.pop(); state; state = open.pop()) {
    await yielder.yieldIfDue();
    const { node, parts } = state;
    if (parts.length === 0 ? node.end : node.rest) found.push(state.example);
    for (const next of nextStates(state)) {
      if (work.left <= 0) return found;
      work.left -= 1;
      open.push(next);
    }
  }
  return found;
}

function* nextStates(state: SearchState): Generator<SearchState> {
  const { node, parts } = state;
  const [part, ...others] = parts;
  if (part === undefined) return;
  if (node.one) yield { ...state, node: node.one, parts: others };
  const [value, kind] = anyValues.exec(part) ?? [];
  if (value === undefined) {
    const literal = node.literals.get(part);
    if (literal) yield { ...state, node: literal, parts: others };
    return;
  }
  const isRest = kind === 'rest' && part === value;
  if (node.one && isRest) yield after(state, node.one, value, `${extraSegmentValue}/${value}`);
  for (const [text, literal] of node.literals) {
    const needed = valueWithin(part, value, text);
    if (needed === undefined) continue;
    yield after(state, literal, value, needed);
    if (isRest) yield after(state, literal, value, `${text}/${value}`);
  }
}

/** The state after a segment with a chosen value. */
function after({ parts, example }: SearchState, node: RuleNode, value: string, chosen: string): SearchState {
  const [, ...others] = parts.join('/').replaceAll(value, chosen).split('/');
  return { node, parts: others, example: example.replaceAll(value, chosen) };
}

/** The value with which a segment becomes the text; undefined when there is none. */
function valueWithin(segment: string, value: string, text: string): string | undefined {
  const [before = '', behind = '', ...more] = segment.split(value);
  const isThere = more.length === 0 && text.startsWith(before) && text.endsWith(behind);
  const length = text.length - before.length - behind.length;
  return isThere && length > 0 ? text.slice(before.length, before.length + length) : undefined;
}

const partsOf = (path: string) => path.slice(1).split('/');
const asPath = (parts: readonly string[]) => `/${parts.join('/')}`;
