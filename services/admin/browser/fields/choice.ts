import type { Field } from '../api/bootstrap.js';

/** Up to as many choices are all shown. */
export const maxShownChoices = 6;

/** The choices of a field; empty where any text is one. */
export function choicesOf({ validation }: Pick<Field, 'validation'>): string[] {
  const options = validation?.['options'];
  return Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
}

/** The selected choices. */
export function selectedOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((choice) => typeof choice === 'string') : [];
}

/** The selection with a choice or without it, in the order in which choices were made. @returns null for none */
export function toggled(selected: readonly string[], choice: string): string[] | null {
  const next = selected.includes(choice) ? selected.filter((each) => each !== choice) : [...selected, choice];
  return next.length === 0 ? null : next;
}
