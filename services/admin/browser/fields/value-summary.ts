import type { Field } from '../api/bootstrap.js';

const maxLength = 200;

/** What a value that cannot be edited here has: an excerpt of its text, or a number of items. */
export type ValueSummary = { text: string } | { count: number } | undefined;

/** Summarises a value of a type without an input. @returns undefined without a value, and where only JSON shows it */
export function summaryOf({ type }: Pick<Field, 'type'>, value: unknown): ValueSummary {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const text = type === 'portableText' ? excerptOf(value) : '';
    return text === '' ? { count: value.length } : { text };
  }
  return typeof value === 'object' ? undefined : { text: excerpt(String(value)) };
}

/** The beginning of a text; characters of two units are not cut in half. */
function excerpt(text: string): string {
  const characters = [...text.slice(0, 2 * maxLength + 2)];
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text;
}

function excerptOf(blocks: readonly unknown[]): string {
  const texts = blocks.map((block) =>
    childrenOf(block)
      .map((child) => textOf(child))
      .join(''),
  );
  return excerpt(texts.filter((text) => text !== '').join('\n'));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function childrenOf(block: unknown): readonly unknown[] {
  const children = isRecord(block) ? block['children'] : undefined;
  return Array.isArray(children) ? children : [];
}

function textOf(child: unknown): string {
  const text = isRecord(child) ? child['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
