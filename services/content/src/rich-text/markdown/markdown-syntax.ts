import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown, gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown, gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { toMarkdown } from 'mdast-util-to-markdown';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';

/** Parses Markdown: CommonMark with tables and struck-through text. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, {
    extensions: [gfmStrikethrough(), gfmTable()],
    mdastExtensions: [gfmStrikethroughFromMarkdown(), gfmTableFromMarkdown()],
  });
}

/** Writes Markdown that `parseMarkdown` reads as the same tree: characters with a meaning are escaped. */
export function writeMarkdown(root: Root): string {
  return toMarkdown(root, {
    bullet: '-',
    emphasis: '_',
    fences: true,
    listItemIndent: 'one',
    resourceLink: true,
    rule: '-',
    extensions: [gfmStrikethroughToMarkdown(), gfmTableToMarkdown({ tablePipeAlign: false })],
  }).trimEnd();
}

/** Marks of spans without Markdown syntax, by the HTML element that represents them. */
export const markOfTag: Readonly<Record<string, string>> = {
  u: 'underline',
  sup: 'superscript',
  sub: 'subscript',
};

const entities = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' } as const;

/** The start tag of a link that opens in a new window. */
export function newWindowLink(href: string): string {
  const escaped = href.replace(/[&"<>]/g, (character) => entities[character as keyof typeof entities]);
  return `<a href="${escaped}" target="_blank">`;
}

/** The address in the start tag of a link that opens in a new window; undefined for other HTML. */
export function hrefOfNewWindowLink(html: string): string | undefined {
  const [, escaped] = /^<a href="([^"<>]*)" target="_blank">$/.exec(html) ?? [];
  return escaped
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
