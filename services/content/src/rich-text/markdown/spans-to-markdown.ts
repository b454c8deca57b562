import type { PhrasingContent } from 'mdast';
import { markOfTag, newWindowLink } from './markdown-syntax.js';
import {
  hasOnly,
  isOptionalText,
  isRecord,
  type Link,
  type Span,
  type SpanContent,
} from './rich-text-block.js';

const tagOfMark = new Map(Object.entries(markOfTag).map(([tag, mark]) => [mark, tag]));
const textMarks = new Set(['strong', 'em', 'strike-through', 'code', ...tagOfMark.keys()]);

/** Marks of one span, each nested in another. */
const maxMarks = 20;

/** Whether Markdown can represent a text with its marks and links. */
export function isMarkdownText(content: {
  children?: unknown;
  markDefs?: unknown;
  [name: string]: unknown;
}): boolean {
  const { children, markDefs = [] } = content;
  if (!Array.isArray(children) || !Array.isArray(markDefs) || !markDefs.every(isLink)) return false;
  const known = new Set([...textMarks, ...markDefs.map(({ _key }) => _key)]);
  return children.every((child) => isSpan(child, known));
}

function isLink(value: unknown): value is Link {
  if (!isRecord(value) || !hasOnly(value, ['_type', '_key', 'href', 'title', 'blank'])) return false;
  const { _type, _key, href, title, blank } = value;
  if (_type !== 'link' || typeof _key !== 'string' || typeof href !== 'string' || href === '') return false;
  return (isOptionalText(title) && blank === undefined) || (title === undefined && blank === true);
}

function isSpan(value: unknown, knownMarks: ReadonlySet<string>): value is Span {
  if (!isRecord(value) || !hasOnly(value, ['_type', '_key', 'text', 'marks'])) return false;
  const { _type, text, marks = [] } = value;
  if (_type !== 'span' || typeof text !== 'string' || !Array.isArray(marks)) return false;
  if (marks.length > maxMarks) return false;
  return marks.every((mark) => knownMarks.has(mark as string));
}

/** A part of a text with one set of marks. */
interface Run {
  text: string;
  marks: string[];
}

/** @returns the nodes of a text for which `isMarkdownText` holds; line ends of the text are hard breaks. */
export function toPhrasing({ children, markDefs = [] }: Partial<SpanContent>): PhrasingContent[] {
  const links = new Map(markDefs.map((link) => [link._key, link]));
  const runs = (children ?? []).map(({ text, marks = [] }: Partial<Span>) => ({
    text: text ?? '',
    marks: [...new Set(marks)],
  }));
  return nodesOf(trimmed(runs), links);
}

/** Markdown has no line ends at the ends of a text. */
function trimmed(runs: readonly Run[]): Run[] {
  const kept = runs.filter(({ text }) => text !== '').map((run) => ({ ...run }));
  const [first, last] = [kept[0], kept.at(-1)];
  if (first) first.text = first.text.replace(/^\n+/, '');
  if (last) last.text = last.text.replace(/\n+$/, '');
  return kept.filter(({ text }) => text !== '');
}

function nodesOf(runs: readonly Run[], links: ReadonlyMap<string, Link>): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let index = 0;
  while (index < runs.length) {
    const run = runs[index];
    if (!run) break;
    const [mark, length] = widestMark(runs, index);
    if (mark === undefined) {
      nodes.push(...(run.marks.length > 0 ? codeOf(run.text) : textOf(run.text)));
    } else {
      const inner = runs.slice(index, index + length).map(({ text, marks }) => ({
        text,
        marks: marks.filter((each) => each !== mark),
      }));
      nodes.push(...marked(mark, nodesOf(inner, links), links));
    }
    index += length;
  }
  return nodes;
}

/** The mark at an index that the most runs share, and their number. Code has no marks inside, so it comes last. */
function widestMark(runs: readonly Run[], start: number): [mark: string | undefined, length: number] {
  let best: [string | undefined, number] = [undefined, 1];
  for (const mark of runs[start]?.marks ?? []) {
    if (mark === 'code') continue;
    let end = start;
    while (runs[end]?.marks.includes(mark)) end += 1;
    if (best[0] === undefined || end - start > best[1]) best = [mark, end - start];
  }
  return best;
}

function marked(
  mark: string,
  children: PhrasingContent[],
  links: ReadonlyMap<string, Link>,
): PhrasingContent[] {
  if (mark === 'strong') return [{ type: 'strong', children }];
  if (mark === 'em') return [{ type: 'emphasis', children }];
  if (mark === 'strike-through') return [{ type: 'delete', children }];
  const tag = tagOfMark.get(mark);
  if (tag !== undefined) return [html(`<${tag}>`), ...children, html(`</${tag}>`)];
  const link = links.get(mark);
  if (!link) return children;
  if (link.blank) return [html(newWindowLink(link.href)), ...children, html('</a>')];
  return [{ type: 'link', url: link.href, title: link.title ?? null, children: children as never }];
}

const html = (value: string): PhrasingContent => ({ type: 'html', value });

function textOf(text: string): PhrasingContent[] {
  return lines(text, (value) => ({ type: 'text', value }));
}

function codeOf(text: string): PhrasingContent[] {
  return lines(text, (value) => ({ type: 'inlineCode', value }));
}

function lines(text: string, toNode: (line: string) => PhrasingContent): PhrasingContent[] {
  return text
    .split('\n')
    .flatMap((line, index): PhrasingContent[] => [
      ...(index > 0 ? [{ type: 'break' as const }] : []),
      ...(line === '' ? [] : [toNode(line)]),
    ]);
}
