import type { InputOptions } from '@quire/content-model';
import { fromMarkdown } from './from-markdown.js';
import { markdownProblem, maxMarkdownLength } from './markdown-limits.js';

/**
 * The conversion of Markdown in the values of one write. A text is converted once, however often the write is decided;
 * all texts together are limited.
 */
export function markdownInput(): NonNullable<InputOptions['parseRichText']> {
  const converted = new Map<string, ReturnType<typeof fromMarkdown>>();
  let remaining = maxMarkdownLength;
  return (text) => {
    const known = converted.get(text);
    if (known) return { blocks: structuredClone(known) };
    const problem =
      markdownProblem(text) ??
      (text.length > remaining
        ? `all Markdown together must have at most ${maxMarkdownLength} characters`
        : undefined);
    if (problem !== undefined) return { problem };
    remaining -= text.length;
    const blocks = fromMarkdown(text);
    converted.set(text, blocks);
    return { blocks: structuredClone(blocks) };
  };
}
