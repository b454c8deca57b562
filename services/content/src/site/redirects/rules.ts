import {
  hasRedirectDestination,
  keyOf,
  maxPatternSegments,
  prefixesOf,
  redirectProblems,
  sourceKeysOf,
  type RequestedPath,
} from '@quire/content-model';
import type { Row } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { Redirect } from './redirect.entity.js';

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
  const destination = hasRedirectDestination(type) ? input.destination : '';
  const issues = redirectProblems({ source, destination, type });
  if (issues.length > 0) throw invalidInput(issues);
  return { source, ...sourceKeysOf(source), destination, type };
}

/**
 * By which patterns are looked up: their prefix, and their last text behind a placeholder with its position. Of the
 * many patterns `/[language]/page-1`, `/[language]/page-2`, …, a path finds one.
 */
export interface PatternKey {
  prefix: string;
  /** "" for a pattern that has no text behind its first placeholder. */
  lastText: string;
}

/** The lookup keys of the rules that may match a path. */
export function lookupOf(requested: RequestedPath): { keys: string[]; patterns: PatternKey[] } {
  const texts = requested.path
    .slice(1)
    .split('/', maxPatternSegments)
    .map((text, index) => `${index + 1}/${text}`);
  return {
    keys: [...new Set([keyOf(requested), requested.path])],
    patterns: prefixesOf(requested.path).flatMap((prefix, length) =>
      ['', ...texts.slice(length + 1)].map((lastText) => ({ prefix, lastText })),
    ),
  };
}
