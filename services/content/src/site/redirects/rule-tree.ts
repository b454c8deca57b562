import {
  fillPlaceholders,
  keyOf,
  segmentsOf,
  sourcePath,
  type Captured,
  type RequestedPath,
  type Segment,
} from '@quire/content-model';
import { sitePathProblem } from '@quire/values';
import type { Match, Rule } from './rules.js';

/** Finds the rule of a path. */
export type Find = (requested: RequestedPath) => Promise<Match | undefined>;

/** A pattern with its parsed segments. */
interface Pattern {
  rule: Rule;
  segments: readonly Segment[];
}

/** A node of patterns with a common start: their possible next segments, and the pattern that ends here. */
export interface RuleNode {
  literals: Map<string, RuleNode>;
  one?: RuleNode;
  rest?: Pattern;
  end?: Pattern;
}

/** An index of rules by path: single paths by their key, patterns segment by segment. */
export class RuleTree {
  readonly patterns: RuleNode = { literals: new Map() };
  private readonly paths = new Map<string, Rule>();

  constructor(rules: readonly Rule[] = []) {
    for (const rule of rules) this.add(rule);
  }

  add(rule: Rule): void {
    if (rule.prefix === null) this.paths.set(rule.sourceKey, rule);
    else this.addPattern({ rule, segments: segmentsOf(sourcePath(rule.source).path) });
  }

  /**
   * Finds the rule of a path. A rule for the path with its query precedes one for the path without, both precede
   * patterns, and a pattern precedes a more general one. A pattern whose destination for this path is off the site does
   * not match.
   */
  find(requested: RequestedPath): Match | undefined {
    const rule = this.paths.get(keyOf(requested)) ?? this.paths.get(requested.path);
    if (rule) return { rule, destination: rule.destination };
    const parts = requested.path.slice(1).split('/');
    const pattern = mostSpecificMatch(this.patterns, parts, 0);
    if (!pattern) return undefined;
    const destination = fillPlaceholders(pattern.rule.destination, captured(pattern, parts));
    return destination === '' || sitePathProblem(destination) === null
      ? { rule: pattern.rule, destination }
      : undefined;
  }

  private addPattern(pattern: Pattern): void {
    let node = this.patterns;
    for (const segment of pattern.segments) {
      if (segment.kind === 'rest') {
        node.rest = pattern;
        return;
      }
      node = segment.kind === 'one' ? (node.one ??= newNode()) : literalChild(node, segment.text);
    }
    node.end = pattern;
  }
}

/** The rule of a path among those that were looked up for it; see `RuleTree.find`. */
export function bestMatch(rules: readonly Rule[], requested: RequestedPath): Match | undefined {
  return new RuleTree(rules).find(requested);
}

const newNode = (): RuleNode => ({ literals: new Map() });

function literalChild({ literals }: RuleNode, text: string): RuleNode {
  const node = literals.get(text) ?? newNode();
  literals.set(text, node);
  return node;
}

/** From the left, a literal precedes a name, and a name a rest. A placeholder is never empty. */
function mostSpecificMatch(node: RuleNode, parts: readonly string[], index: number): Pattern | undefined {
  const part = parts[index];
  if (part === undefined) return node.end;
  const isEmpty = part === '';
  const literal = node.literals.get(part);
  return (
    (literal && mostSpecificMatch(literal, parts, index + 1)) ??
    (node.one && !isEmpty ? mostSpecificMatch(node.one, parts, index + 1) : undefined) ??
    (isEmpty && index === parts.length - 1 ? undefined : node.rest)
  );
}

/** The values of a pattern's placeholders for a path that it matches. */
function captured({ segments }: Pattern, parts: readonly string[]): Captured {
  const values = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'one') values.set(segment.token, parts[index] ?? '');
    if (segment.kind === 'rest') values.set(segment.token, parts.slice(index).join('/'));
  }
  return values;
}
