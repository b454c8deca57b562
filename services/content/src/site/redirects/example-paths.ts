import { randomBytes } from 'node:crypto';
import { maxPatternSegments, segmentsOf } from './patterns.js';
import type { RuleNode, Find, RuleTree } from './rule-tree.js';
import type { Rule } from './rules.js';
import type { EventLoopYielder } from './yield-to-event-loop.js';
import { maxPathLength, requestedPath, sourcePath } from './url-path.js';

/** So many steps does a path go on while values are looked for that would lead it into other patterns. */
const maxRedirectSteps = 30;

type Kind = 'one' | 'rest';

/** A segment that stands for any value: no rule names it, because nobody is told. */
const secret = randomBytes(8).toString('hex');
const anyValue = (kind: Kind, index: number) => `${secret}-${index}-${kind}`;
const anyValues = new RegExp(`${secret}-\\d+-(one|rest)`);
/** For a segment that a rest turns out to have; those of an example are named by where they stand. */
const extraSegmentValue = anyValue('one', maxPathLength);

/** What examples are made with. */
export interface ExampleTools {
  tree: RuleTree;
  find: Find;
  yielder: EventLoopYielder;
  /** How many places of patterns may still be looked at: what rules make possible is endless. */
  work: { left: number };
}

/**
 * Paths that a pattern matches: first with values that no rule names, then with the texts that lead it, or what it
 * leads to, into other patterns than the path before. `/a/[x]` that leads to `/b/[x]` is followed as `/a/q` too where
 * there is a pattern `/b/q/[y]` or `/[z]/q`. What several placeholders make up together in one segment is not taken
 * apart.
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

/** A path, and those that rules lead it to. */
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

/**
 * A node of the patterns that a path reaches, what of the path is still to come, and the example that gets it there.
 */
interface SearchState {
  node: RuleNode;
  parts: readonly string[];
  example: string;
}

/** The example, changed so that the path it led to comes to match the patterns that it can. */
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

/** The state after a segment that a value was chosen for. */
function after({ parts, example }: SearchState, node: RuleNode, value: string, chosen: string): SearchState {
  const [, ...others] = parts.join('/').replaceAll(value, chosen).split('/');
  return { node, parts: others, example: example.replaceAll(value, chosen) };
}

/** What a value has to be for the segment around it to become the text; undefined when nothing does it. */
function valueWithin(segment: string, value: string, text: string): string | undefined {
  const [before = '', behind = '', ...more] = segment.split(value);
  const isThere = more.length === 0 && text.startsWith(before) && text.endsWith(behind);
  const length = text.length - before.length - behind.length;
  return isThere && length > 0 ? text.slice(before.length, before.length + length) : undefined;
}

const partsOf = (path: string) => path.slice(1).split('/');
const asPath = (parts: readonly string[]) => `/${parts.join('/')}`;
