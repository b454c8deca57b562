import type { Field } from '../../api/bootstrap.js';
import type { FieldCondition } from './list-search.js';

/** How a field is limited. */
export type ConditionMode = 'any' | 'is' | 'in' | 'between' | 'yes' | 'no' | 'empty';

/** A condition as its form has it. */
export interface ConditionForm {
  mode: ConditionMode;
  /** Of `is`; of `in` with one value a line. */
  text: string;
  /** Of `in`, for a field with choices. */
  choices: string[];
  from: string;
  to: string;
}

/** The choices of a field; none if it takes every text. */
export function choicesOf({ type, validation }: Pick<Field, 'type' | 'validation'>): string[] {
  const options: unknown = type === 'select' ? validation?.['options'] : undefined;
  return Array.isArray(options) ? options.map(String) : [];
}

/** What the form of a field offers. */
export function modesOf(field: Pick<Field, 'type' | 'validation'>): ConditionMode[] {
  switch (field.type) {
    case 'boolean':
      return ['any', 'yes', 'no', 'empty'];
    case 'number':
    case 'integer':
    case 'datetime':
      return ['any', 'between', 'empty'];
    default:
      return choicesOf(field).length > 0 ? ['any', 'in', 'empty'] : ['any', 'is', 'in', 'empty'];
  }
}

/** The form of a condition. */
export function toForm(condition: FieldCondition | undefined): ConditionForm {
  const empty: ConditionForm = { mode: 'any', text: '', choices: [], from: '', to: '' };
  if (condition === undefined) return empty;
  if (condition === null) return { ...empty, mode: 'empty' };
  if (typeof condition === 'boolean') return { ...empty, mode: condition ? 'yes' : 'no' };
  if (typeof condition !== 'object') return { ...empty, mode: 'is', text: String(condition) };
  if ('in' in condition) {
    const choices = condition.in.map(String);
    return { ...empty, mode: 'in', choices, text: choices.join('\n') };
  }
  return { ...empty, mode: 'between', from: String(condition.gte ?? ''), to: String(condition.lte ?? '') };
}

/** The condition of a form. @returns undefined for one that limits nothing */
export function toCondition(
  field: Pick<Field, 'type' | 'validation'>,
  { mode, text, choices, from, to }: ConditionForm,
): FieldCondition | undefined {
  switch (mode) {
    case 'any':
      return undefined;
    case 'empty':
      return null;
    case 'yes':
    case 'no':
      return mode === 'yes';
    case 'is':
      return text.trim() === '' ? undefined : text.trim();
    case 'in': {
      const lines = text.split('\n').map((line) => line.trim());
      const values = choicesOf(field).length > 0 ? choices : [...new Set(lines)].filter(Boolean);
      return values.length === 0 ? undefined : { in: values };
    }
    case 'between': {
      const bound = (value: string) => (field.type === 'datetime' ? value : Number(value));
      if (from === '' && to === '') return undefined;
      return { ...(from !== '' && { gte: bound(from) }), ...(to !== '' && { lte: bound(to) }) };
    }
  }
}
