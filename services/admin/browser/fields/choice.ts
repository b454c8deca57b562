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
  if (typeof value === 'string' && value !== '') return [value];
  return Array.isArray(value) ? value.filter((choice) => typeof choice === 'string') : [];
}

/** Stored choices that the field no longer offers. */
export function formerOf(selected: readonly string[], choices: readonly string[]): string[] {
  return [...new Set(selected)].filter((choice) => !choices.includes(choice));
}

/** The selection with a choice or without it, in the order in which choices were made. @returns null for none */
export function toggled(selected: readonly string[], choice: string): string[] | null {
  const next = selected.includes(choice) ? selected.filter((each) => each !== choice) : [...selected, choice];
  return next.length === 0 ? null : next;
}

/** The choices that have a text in them, in upper or lower case. */
export function matching(choices: readonly string[], text: string): string[] {
  const wanted = text.trim().toLocaleLowerCase();
  return choices.filter((choice) => choice.toLocaleLowerCase().includes(wanted));
}

/** Tags, and the text of the one that is being typed. */
export interface TypedTags {
  /** Ended by a comma, or from before. */
  tags: string[];
  text: string;
  /** What the text adds to the value; undefined for nothing, or a tag that is there. */
  pending: string | undefined;
}

/** The tags of a value before the one that is being typed. */
export function tagsBefore(value: unknown, pending: string | undefined): string[] {
  const all = selectedOf(value);
  return pending !== undefined && all.at(-1) === pending ? all.slice(0, -1) : all;
}

/** Reads the text of the input of tags, in which commas end tags: typed ones, and those of a text that was pasted. */
export function typeTags(before: readonly string[], typed: string): TypedTags {
  const parts = typed.split(',');
  const text = parts.pop() ?? '';
  const ended = parts.map((part) => part.trim()).filter(Boolean);
  const tags = [...new Set([...before, ...ended])];
  const tag = text.trim();
  return { tags, text: text.trimStart(), pending: tag === '' || tags.includes(tag) ? undefined : tag };
}

/** The value of tags, with the one that is being typed. @returns null for none */
export function valueOfTags({ tags, pending }: Pick<TypedTags, 'tags' | 'pending'>): string[] | null {
  const all = pending === undefined ? tags : [...tags, pending];
  return all.length === 0 ? null : all;
}
