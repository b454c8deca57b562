import { isDeepStrictEqual } from 'node:util';
import type { FieldValidation, SubField } from '../fields/field-definition.js';
import type { BlockField } from './block-fields.js';

/**
 * Whether every block that is valid by the fields `before` stays valid by the fields `after`: no field is removed,
 * retyped or newly required, and no limit is tightened. Such a change needs no new version (sheet rest-shapes, section
 * 15).
 */
export function isCompatibleChange(before: readonly BlockField[], after: readonly BlockField[]): boolean {
  return isSuperset(before, after, isLoosened);
}

/** Whether each old field has a successor that accepts at least its values, and no new field is required. */
function isSuperset<Field extends { slug: string; type: string; required?: boolean | undefined }>(
  before: readonly Field[],
  after: readonly Field[],
  isLoosenedField: (old: Field, next: Field) => boolean,
): boolean {
  const old = new Map(before.map((field) => [field.slug, field]));
  const retained = after.filter(({ slug }) => old.has(slug));
  if (retained.length < before.length) return false;
  return after.every((next) => {
    const former = old.get(next.slug);
    if (!former) return next.required !== true;
    if (former.type !== next.type || (next.required === true && former.required !== true)) return false;
    return isLoosenedField(former, next);
  });
}

function isLoosened(old: BlockField, next: BlockField): boolean {
  const [was, is] = [old.validation ?? {}, next.validation ?? {}];
  const losesDarkVariant = old.options?.darkVariant === true && next.options?.darkVariant !== true;
  return (
    !losesDarkVariant &&
    isLoosenedRange(was, is) &&
    (is.pattern === undefined || is.pattern === was.pattern) &&
    includesAll(was.options, is.options) &&
    includesAll(was.allowedMimeTypes, is.allowedMimeTypes) &&
    isSuperset(was.subFields ?? [], is.subFields ?? [], isLoosenedSubField)
  );
}

function isLoosenedSubField(old: SubField, next: SubField): boolean {
  return includesAll(old.options, next.options);
}

function isLoosenedRange(was: FieldValidation, is: FieldValidation): boolean {
  const lower = ['min', 'minLength', 'minItems'] as const;
  const upper = ['max', 'maxLength', 'maxItems'] as const;
  return (
    lower.every((rule) => (is[rule] ?? -Infinity) <= (was[rule] ?? -Infinity)) &&
    upper.every((rule) => (is[rule] ?? Infinity) >= (was[rule] ?? Infinity))
  );
}

/** Without a list every value is allowed. */
function includesAll(was: readonly string[] | undefined, is: readonly string[] | undefined): boolean {
  if (is === undefined || isDeepStrictEqual(was, is)) return true;
  return was !== undefined && was.every((choice) => is.includes(choice));
}
