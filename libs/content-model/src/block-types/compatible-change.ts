import { isDeepStrictEqual } from 'node:util';
import type { FieldValidation, SubField } from '../fields/field-definition.js';
import type { BlockField } from './block-fields.js';

/** A change of a field that makes valid blocks invalid. */
export interface BreakingChange {
  /** The changed property, beginning with the slug of the field: `title.validation.maxLength`. */
  path: string;
  message: string;
}

/**
 * Finds the changes by which blocks that are valid by the fields `before` may be invalid by the fields `after`: a field
 * is removed, retyped or newly required, or a limit is tightened. Without such a change no new version is needed (sheet
 * rest-shapes, section 15).
 */
export function findBreakingChanges(
  before: readonly BlockField[],
  after: readonly BlockField[],
): BreakingChange[] {
  return changesOfFields(before, after, changesOfField);
}

/** Each old field needs a successor that accepts at least its values, and no new field can be required. */
function changesOfFields<Field extends { slug: string; type: string; required?: boolean | undefined }>(
  before: readonly Field[],
  after: readonly Field[],
  changesOfRules: (old: Field, next: Field) => BreakingChange[],
): BreakingChange[] {
  const successors = new Map(after.map((field) => [field.slug, field]));
  const known = new Set(before.map(({ slug }) => slug));
  const required = after
    .filter((field) => !known.has(field.slug) && field.required === true)
    .map(({ slug }) => change(slug, 'is new and required'));
  const changed = before.flatMap((old) => {
    const next = successors.get(old.slug);
    if (!next) return [change(old.slug, 'is removed')];
    if (next.type !== old.type)
      return [change(`${old.slug}.type`, `changes from ${old.type} to ${next.type}`)];
    const isNewlyRequired = next.required === true && old.required !== true;
    const changes = [
      ...(isNewlyRequired ? [change('required', 'changes to true')] : []),
      ...changesOfRules(old, next),
    ];
    return below(old.slug, changes);
  });
  return [...changed, ...required];
}

function changesOfField(old: BlockField, next: BlockField): BreakingChange[] {
  const [was, is] = [old.validation ?? {}, next.validation ?? {}];
  const losesDarkVariant = old.options?.darkVariant === true && next.options?.darkVariant !== true;
  const rules = [
    ...changesOfRange(was, is),
    ...(is.pattern === undefined || is.pattern === was.pattern ? [] : [change('pattern', 'changes')]),
    ...changesOfChoices('options', was.options, is.options),
    ...changesOfChoices('allowedMimeTypes', was.allowedMimeTypes, is.allowedMimeTypes),
    ...below('subFields', changesOfFields(was.subFields ?? [], is.subFields ?? [], changesOfSubField)),
  ];
  return [
    ...(losesDarkVariant ? [change('options.darkVariant', 'is removed')] : []),
    ...below('validation', rules),
  ];
}

function changesOfSubField(old: SubField, next: SubField): BreakingChange[] {
  return changesOfChoices('options', old.options, next.options);
}

function changesOfRange(was: FieldValidation, is: FieldValidation): BreakingChange[] {
  const lower = ['min', 'minLength', 'minItems'] as const;
  const upper = ['max', 'maxLength', 'maxItems'] as const;
  return [
    ...lower
      .filter((rule) => (is[rule] ?? -Infinity) > (was[rule] ?? -Infinity))
      .map((rule) => change(rule, `is raised to ${is[rule]}`)),
    ...upper
      .filter((rule) => (is[rule] ?? Infinity) < (was[rule] ?? Infinity))
      .map((rule) => change(rule, `is lowered to ${is[rule]}`)),
  ];
}

/** Without a list every value is allowed. */
function changesOfChoices(
  rule: string,
  was: readonly string[] | undefined,
  is: readonly string[] | undefined,
): BreakingChange[] {
  if (is === undefined || isDeepStrictEqual(was, is)) return [];
  if (was === undefined) return [change(rule, 'is new')];
  return was.every((choice) => is.includes(choice)) ? [] : [change(rule, 'has fewer choices')];
}

function change(path: string, message: string): BreakingChange {
  return { path, message };
}

function below(path: string, changes: readonly BreakingChange[]): BreakingChange[] {
  return changes.map((found) => ({ ...found, path: `${path}.${found.path}` }));
}
