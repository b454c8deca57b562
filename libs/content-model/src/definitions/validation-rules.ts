import { maxBlocks } from '../fields/blocks-field.js';
import { isPlainObject } from '../fields/validation-context.js';
import type { FieldValidation } from '../fields/field-definition.js';
import type { FieldType } from '../fields/field-types.js';
import { compilePattern, hasBackReference } from '../fields/pattern.js';
import { isStorableText } from '@quire/values';
import { choiceProblems, type RuleProblem } from './choices.js';
import { isSlug } from './slugs.js';
import { subFieldProblems } from './sub-fields.js';

type Rule = keyof FieldValidation;

/** A long pattern costs compile time at every schema change, and a shorter one can express the same. */
const maxPatternLength = 1000;
const maxMimeTypes = 64;
const exactMimeType = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i;

const textRules: readonly Rule[] = ['minLength', 'maxLength', 'pattern'];

const rulesOfType: Readonly<Record<FieldType, readonly Rule[]>> = {
  string: textRules,
  text: textRules,
  slug: textRules,
  url: [],
  number: ['min', 'max'],
  integer: ['min', 'max'],
  boolean: [],
  datetime: [],
  select: ['options'],
  multiSelect: ['options'],
  portableText: [],
  image: ['allowedMimeTypes'],
  file: ['allowedMimeTypes'],
  reference: ['targetCollection', 'multiple', 'relation', 'relationSide'],
  json: [],
  repeater: ['subFields', 'minItems', 'maxItems'],
  blocks: ['allowedTypes', 'retiredTypes', 'minItems', 'maxItems'],
};

type RuleCheck = (value: unknown, path: string) => RuleProblem[];

const checks: Readonly<Record<Rule, RuleCheck>> = {
  required: flag,
  min: finiteNumber,
  max: finiteNumber,
  minLength: count(0),
  maxLength: count(0),
  minItems: count(0),
  maxItems: count(1),
  pattern: compilablePattern,
  options: choiceProblems,
  subFields: subFieldProblems,
  allowedMimeTypes: exactMimeTypes,
  targetCollection: slug,
  relation: slug,
  multiple: flag,
  relationSide: (value, path) =>
    value === 'parent' || value === 'child' ? [] : [{ path, message: "must be 'parent' or 'child'" }],
  allowedTypes: distinctSlugs,
  retiredTypes: distinctSlugs,
};

/**
 * Checks the rules of a field against its type: each must belong to the type, be well-formed, and fit its counterpart.
 * @param validation the rules as sent; null when there are none
 */
export function ruleProblems(type: FieldType, validation: unknown): RuleProblem[] {
  if (validation === null || validation === undefined) {
    return type === 'repeater' ? [{ path: 'subFields', message: 'is required' }] : [];
  }
  if (!isPlainObject(validation)) return [{ path: '', message: 'must be an object' }];

  const problems: RuleProblem[] = [];
  const rules = new Map(Object.entries(validation).filter(([, value]) => value !== undefined));
  for (const [name, value] of rules) {
    if (belongsTo(type, name)) problems.push(...checks[name](value, name));
    else problems.push({ path: name, message: `is not a rule of ${type} fields` });
  }
  if (type === 'repeater' && !rules.has('subFields'))
    problems.push({ path: 'subFields', message: 'is required' });
  if (type === 'blocks' && Number(rules.get('maxItems') ?? 0) > maxBlocks) {
    problems.push({ path: 'maxItems', message: `must be at most ${maxBlocks}` });
  }
  if (type === 'blocks' && Number(rules.get('minItems') ?? 0) > maxBlocks) {
    problems.push({ path: 'minItems', message: `must be at most ${maxBlocks}` });
  }
  return [...problems, ...boundProblems(rules)];
}

function belongsTo(type: FieldType, name: string): name is Rule {
  return name === 'required' || (rulesOfType[type] as readonly string[]).includes(name);
}

function boundProblems(rules: ReadonlyMap<string, unknown>): RuleProblem[] {
  const pairs = [
    ['min', 'max'],
    ['minLength', 'maxLength'],
    ['minItems', 'maxItems'],
  ] as const;
  return pairs.flatMap(([lower, upper]) => {
    const [low, high] = [rules.get(lower), rules.get(upper)];
    const isCrossed = typeof low === 'number' && typeof high === 'number' && low > high;
    return isCrossed ? [{ path: lower, message: `must not be greater than ${upper}` }] : [];
  });
}

function flag(value: unknown, path: string): RuleProblem[] {
  return typeof value === 'boolean' ? [] : [{ path, message: 'must be a boolean' }];
}

function finiteNumber(value: unknown, path: string): RuleProblem[] {
  return Number.isFinite(value) ? [] : [{ path, message: 'must be a number' }];
}

function count(lowest: number): RuleCheck {
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= lowest
      ? []
      : [{ path, message: `must be a whole number of at least ${lowest}` }];
}

function slug(value: unknown, path: string): RuleProblem[] {
  return isSlug(value) ? [] : [{ path, message: 'must be a slug' }];
}

function compilablePattern(value: unknown, path: string): RuleProblem[] {
  if (typeof value !== 'string' || value === '') return [{ path, message: 'must be a non-empty string' }];
  if (value.length > maxPatternLength)
    return [{ path, message: `must have at most ${maxPatternLength} characters` }];
  if (!isCompilable(value))
    return [{ path, message: 'must be a regular expression without look-around and back-references' }];
  return isStorableText(value) ? [] : [{ path, message: 'must not contain U+0000 or unpaired surrogates' }];
}

function isCompilable(pattern: string): boolean {
  // Not part of compiling: a stored pattern of an earlier version must not block writes to its collection.
  if (hasBackReference(pattern)) return false;
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

function exactMimeTypes(value: unknown, path: string): RuleProblem[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > maxMimeTypes) {
    return [{ path, message: `must be a list of 1 to ${maxMimeTypes} MIME types` }];
  }
  return value.flatMap((mime: unknown, index) =>
    typeof mime === 'string' && exactMimeType.test(mime)
      ? []
      : [{ path: `${path}.${index}`, message: 'must be an exact MIME type' }],
  );
}

function distinctSlugs(value: unknown, path: string): RuleProblem[] {
  if (!Array.isArray(value) || !value.every(isSlug)) return [{ path, message: 'must be a list of slugs' }];
  return new Set(value).size === value.length ? [] : [{ path, message: 'must not name a type twice' }];
}
