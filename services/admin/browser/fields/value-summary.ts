import type { Field } from '../api/bootstrap.js';

const maxLength = 200;

/** What a value that cannot be edited here has: an excerpt of its text, the name of a file, or a number of items. */
export type ValueSummary = { text: string } | { count: number } | undefined;

/** Summarises a value of a type without an input. */
export function summaryOf({ type }: Pick<Field, 'type'>, value: unknown): ValueSummary {
  if (value === null || value === undefined) return undefined;
  if (type === 'portableText' && Array.isArray(value)) return { text: excerptOf(value) };
  if (Array.isArray(value)) return { count: value.length };
  if (typeof value === 'object') return { text: nameOf(value) ?? excerpt(JSON.stringify(value)) };
  return { text: excerpt(String(value)) };
}

const excerpt = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

function excerptOf(blocks: readonly unknown[]): string {
  const texts = blocks.map((block) => {
    const { children } = block as { children?: unknown };
    if (!Array.isArray(children)) return '';
    return children
      .map((child: { text?: unknown }) => (typeof child.text === 'string' ? child.text : ''))
      .join('');
  });
  return excerpt(texts.filter((text) => text !== '').join('\n'));
}

/** The name by which users know a file. */
function nameOf(value: object): string | undefined {
  const { filename, alt, src } = value as Record<string, unknown>;
  return [filename, alt, src].find((each): each is string => typeof each === 'string' && each !== '');
}
