import { isStorableText } from '@quire/values';

/** A block of the source platform's editor: a comment `<!-- wp:name {attributes} -->`, content, a closing comment. */
export interface SourceBlock {
  /** With namespace: `core/paragraph`. */
  name: string;
  attributes: Record<string, unknown>;
  hasBrokenAttributes: boolean;
  /** The HTML between the comments, and the blocks inside it, in their order. */
  parts: (string | SourceBlock)[];
  /** Everything from the opening to the closing comment. */
  source: string;
  /** What is between the comments; empty without a closing comment of its own. */
  innerSource: string;
}

interface OpenBlock extends SourceBlock {
  start: number;
  innerStart: number;
}

interface BlockComment {
  isClosing: boolean;
  isSelfClosing: boolean;
  name: string;
  json: string;
}

const head = /^\s*(\/?)wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)(?=\s|\/?$)/;

/** Whether a body has blocks; otherwise it is classic HTML (contract section 3). */
export const hasBlocks = (source: string): boolean => /<!--\s*wp:/.test(source);

/**
 * Splits a body into blocks and the HTML between them (contract section 3.2). Unclosed blocks end with the document;
 * closing comments without a block are left out. Takes linear time.
 */
export function parseBlocks(source: string): (string | SourceBlock)[] {
  return new BlockTreeBuilder(source).build();
}

class BlockTreeBuilder {
  private readonly roots: (string | SourceBlock)[] = [];
  private readonly open: OpenBlock[] = [];
  private readonly openNames = new Map<string, number>();
  private textStart = 0;

  constructor(private readonly source: string) {}

  build(): (string | SourceBlock)[] {
    let start = this.source.indexOf('<!--');
    let end = -1;
    while (start !== -1) {
      if (end < start) end = this.source.indexOf('-->', start + 4);
      if (end === -1) break;
      const next = this.source.indexOf('<!--', start + 4);
      // A comment that another one interrupts is none: the editor escapes brackets in attributes.
      const isComment = next === -1 || next > end;
      const comment = isComment ? parseComment(this.source.slice(start + 4, end)) : undefined;
      if (comment) this.addComment(comment, start, end + 3);
      start = next;
    }
    this.endText(this.source.length);
    while (this.open.length > 0) this.close(this.source.length, this.source.length);
    return this.roots;
  }

  private addComment(comment: BlockComment, start: number, end: number): void {
    this.endText(start);
    this.textStart = end;
    if (!comment.isClosing) this.openBlock(comment, start, end);
    else if ((this.openNames.get(comment.name) ?? 0) > 0) this.closeUpTo(comment.name, start, end);
  }

  private openBlock({ name, json, isSelfClosing }: BlockComment, start: number, end: number): void {
    const attributes = parseAttributes(json);
    this.open.push({
      name,
      attributes: attributes ?? {},
      hasBrokenAttributes: attributes === undefined,
      parts: [],
      source: '',
      innerSource: '',
      start,
      innerStart: end,
    });
    this.openNames.set(name, (this.openNames.get(name) ?? 0) + 1);
    if (isSelfClosing) this.close(end, end);
  }

  private closeUpTo(name: string, start: number, end: number): void {
    while (this.open.length > 0) {
      const isNamed = this.open.at(-1)?.name === name;
      this.close(start, isNamed ? end : start);
      if (isNamed) return;
    }
  }

  private close(innerEnd: number, end: number): void {
    const block = this.open.pop();
    if (!block) return;
    const { start, innerStart, ...rest } = block;
    this.openNames.set(block.name, (this.openNames.get(block.name) ?? 1) - 1);
    const innerSource = this.source.slice(innerStart, innerEnd);
    this.siblings.push({ ...rest, source: this.source.slice(start, end), innerSource });
  }

  private endText(end: number): void {
    if (end > this.textStart) this.siblings.push(this.source.slice(this.textStart, end));
    this.textStart = end;
  }

  private get siblings(): (string | SourceBlock)[] {
    return this.open.at(-1)?.parts ?? this.roots;
  }
}

function parseComment(text: string): BlockComment | undefined {
  const [matched, slash, shortName] = head.exec(text) ?? [];
  if (matched === undefined || shortName === undefined) return undefined;
  const rest = text.slice(matched.length).trim();
  const isSelfClosing = rest.endsWith('/');
  return {
    isClosing: slash === '/',
    isSelfClosing,
    name: shortName.includes('/') ? shortName : `core/${shortName}`,
    json: isSelfClosing ? rest.slice(0, -1) : rest,
  };
}

/** Broken JSON gives no attributes. */
function parseAttributes(json: string): Record<string, unknown> | undefined {
  if (json.trim() === '') return {};
  try {
    const value: unknown = unstorable.test(json) ? JSON.parse(json, storable) : JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Escapes of JSON can express characters that the database cannot store. */
const unstorable = /\\u(?:0000|d[89a-f])|__proto__/i;

function storable(key: string, value: unknown): unknown {
  if (key === '__proto__' || key !== storableText(key)) return undefined;
  return typeof value === 'string' ? storableText(value) : value;
}

/** A text without U+0000 and unpaired surrogates, which PostgreSQL refuses. */
export const storableText = (text: string): string =>
  isStorableText(text) ? text : text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd');
