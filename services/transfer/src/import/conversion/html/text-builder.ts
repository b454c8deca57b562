import type { LinkDefinition, Span, SpanContent } from '../portable-text.js';

export interface LinkTarget {
  href: string;
  blank: boolean;
}

/** A decorator by its name, or a link. */
export type Mark = string | LinkTarget;

interface Run {
  text: string;
  marks: readonly Mark[];
}

/** What the line ends of the source are: spaces in HTML, line breaks in classic text. */
export type LineEnds = 'space' | 'break';

const whitespace = /[ \t\n\f\r]+/g;
const irregularWhitespace = /[\t\n\f\r]| {2}/;

/**
 * Collects the text of one block with its marks. Runs of white space are one space or one line break, and none at the
 * ends of the text and of its lines; U+00A0 is a character like others (contract section 3.1).
 */
export class TextBuilder {
  private readonly runs: Run[] = [];
  private gap: { hasSpace: boolean; hasLineEnd: boolean; breaks: number; marks: readonly Mark[] } | undefined;

  add(text: string, marks: readonly Mark[], lineEnds: LineEnds = 'space'): void {
    const core = trimWhitespace(text);
    if (core === '') {
      this.addGap(text, marks, lineEnds);
      return;
    }
    const start = text.indexOf(core);
    this.addGap(text.slice(0, start), marks, lineEnds);
    this.endGap();
    this.append(normalised(core, lineEnds), marks);
    this.addGap(text.slice(start + core.length), marks, lineEnds);
  }

  /** Adds a line break that the source states, as `br`. */
  addBreak(marks: readonly Mark[]): void {
    const gap = this.openGap(marks);
    if (gap) gap.breaks += 1;
  }

  /** Begins another line, unless the text is at the beginning of one. */
  endLine(marks: readonly Mark[]): void {
    const gap = this.openGap(marks);
    if (gap) gap.hasLineEnd = true;
  }

  /** The collected text; undefined without visible text. The builder is empty afterwards. */
  take(): SpanContent | undefined {
    const content = isBlank(this.runs) ? undefined : contentOf(this.runs);
    this.runs.length = 0;
    this.gap = undefined;
    return content;
  }

  private addGap(text: string, marks: readonly Mark[], lineEnds: LineEnds): void {
    if (text === '') return;
    const gap = this.openGap(marks);
    if (!gap) return;
    gap.hasSpace = true;
    if (lineEnds === 'break' && text.includes('\n')) gap.hasLineEnd = true;
  }

  private openGap(marks: readonly Mark[]): TextBuilder['gap'] {
    if (this.runs.length === 0) return undefined;
    this.gap ??= { hasSpace: false, hasLineEnd: false, breaks: 0, marks };
    return this.gap;
  }

  private endGap(): void {
    if (!this.gap) return;
    const { breaks, hasLineEnd, hasSpace, marks } = this.gap;
    const lineBreaks = Math.max(breaks, hasLineEnd ? 1 : 0);
    if (lineBreaks > 0) this.append('\n'.repeat(lineBreaks), marks);
    else if (hasSpace) this.append(' ', marks);
    this.gap = undefined;
  }

  private append(text: string, marks: readonly Mark[]): void {
    const last = this.runs.at(-1);
    if (last && areEqual(last.marks, marks)) last.text += text;
    else this.runs.push({ text, marks });
  }
}

/** Spans and link definitions of runs; the same target is defined once in a block. */
function contentOf(runs: readonly Run[]): SpanContent {
  const markDefs: LinkDefinition[] = [];
  const keys = new Map<string, string>();
  const keyOf = ({ href, blank }: LinkTarget): string => {
    const target = `${blank ? 'blank' : ''} ${href}`;
    let key = keys.get(target);
    if (key === undefined) {
      key = `l${markDefs.length}`;
      keys.set(target, key);
      markDefs.push({ _type: 'link', _key: key, href, ...(blank ? { blank } : {}) });
    }
    return key;
  };
  const children: Span[] = [];
  for (const { text, marks } of runs) {
    const names = marks.map((mark) => (typeof mark === 'string' ? mark : keyOf(mark)));
    children.push({ _type: 'span', _key: `s${children.length}`, text, marks: names });
  }
  return { children, markDefs };
}

const isBlank = (runs: readonly Run[]): boolean => runs.every(({ text }) => text.trim() === '');

const areEqual = (one: readonly Mark[], other: readonly Mark[]): boolean =>
  one === other || (one.length === other.length && one.every((mark, index) => isEqual(mark, other[index])));

function isEqual(one: Mark, other: Mark | undefined): boolean {
  if (typeof one === 'string' || typeof other === 'string' || !other) return one === other;
  return one.href === other.href && one.blank === other.blank;
}

function normalised(text: string, lineEnds: LineEnds): string {
  if (!irregularWhitespace.test(text)) return text;
  return text.replace(whitespace, (run) => (lineEnds === 'break' && run.includes('\n') ? '\n' : ' '));
}

/** A text without the white space of HTML at its ends. */
export function trimWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhitespace(text.charCodeAt(start))) start += 1;
  while (end > start && isWhitespace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isWhitespace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
