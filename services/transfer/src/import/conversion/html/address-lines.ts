import { isHttpUrl } from '@quire/values';
import type { Span, SpanContent } from '../portable-text.js';

/**
 * Splits a text at lines that are only an address: they show what is at the address (contract section 3.3).
 * @returns the texts between, and the addresses
 */
export function splitAtAddresses(content: SpanContent): (SpanContent | string)[] {
  if (!content.children.some(({ text, marks }) => marks.length === 0 && text.includes('://')))
    return [content];
  const parts: (SpanContent | string)[] = [];
  let spans: Span[] = [];
  const endPart = () => {
    const part = contentOf(spans, content);
    if (part) parts.push(part);
    spans = [];
  };
  content.children.forEach((span, index) => {
    const lines = span.marks.length === 0 ? span.text.split('\n') : [];
    let text = '';
    let hasText = false;
    lines.forEach((line, position) => {
      const startsLine = position > 0 || index === 0;
      const endsLine = position < lines.length - 1 || index === content.children.length - 1;
      if (startsLine && endsLine && isAddress(line)) {
        if (hasText) spans.push({ ...span, text });
        endPart();
        parts.push(line.trim());
        [text, hasText] = ['', false];
      } else {
        text = hasText ? `${text}\n${line}` : line;
        hasText = true;
      }
    });
    if (span.marks.length > 0) spans.push(span);
    else if (hasText) spans.push({ ...span, text });
  });
  endPart();
  return parts;
}

const isAddress = (line: string): boolean => /^https?:\/\/\S+$/i.test(line.trim()) && isHttpUrl(line.trim());

/** Spans as a text of their own, with the links that they use, without line ends at its ends. */
function contentOf(spans: readonly Span[], { markDefs }: SpanContent): SpanContent | undefined {
  const kept = trimmedLines(spans);
  if (kept.every(({ text }) => text.trim() === '')) return undefined;
  const used = new Set(kept.flatMap(({ marks }) => marks));
  const links = markDefs.filter(({ _key }) => used.has(_key));
  const keys = new Map(links.map(({ _key }, index) => [_key, `l${index}`]));
  return {
    children: kept.map((span, index) => ({
      ...span,
      _key: `s${index}`,
      marks: span.marks.map((mark) => keys.get(mark) ?? mark),
    })),
    markDefs: links.map((link, index) => ({ ...link, _key: `l${index}` })),
  };
}

function trimmedLines(spans: readonly Span[]): Span[] {
  const kept = spans.map((span) => ({ ...span }));
  const [first, last] = [kept[0], kept.at(-1)];
  if (first) first.text = first.text.replace(/^\n+/, '');
  if (last) last.text = last.text.trimEnd() === '' ? '' : withoutEndingLines(last.text);
  return kept.filter(({ text }) => text !== '');
}

function withoutEndingLines(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
