import { isComment, type ChildNode } from 'domhandler';
import type { Block } from '../portable-text.js';
import { withEndedComments } from './html-tree.js';

/** Where blocks are converted to: properties that their text takes over. */
export interface Place {
  /** The style of paragraphs. */
  style: string;
  /** The style of headings, where it does not come from their tags. */
  headingStyle?: string | undefined;
  /** The list around, whose items are converted. */
  list?: { listItem: 'bullet' | 'number'; level: number } | undefined;
  /** What the source states around an image, where the image does not state it. */
  image?: { id?: number | undefined; alignment?: string | undefined } | undefined;
  /** Whether line ends of the source are line breaks, and blank lines separate paragraphs. */
  isClassic: boolean;
  /** The blocks of the source around. */
  blockDepth: number;
  /** The blocks of the result around that have content of their own. */
  containerDepth: number;
}

/** A part of a fragment that is not HTML, such as an inner block. */
export interface Insert {
  source: string;
  convert(place: Place): Block[];
}

const pattern = /<!--insert:(\d+)-->/g;
const comment = /^insert:(\d+)$/;

/** HTML with comments in place of the parts that are not HTML, so that it is parsed once and as a whole. */
export class Fragment {
  private readonly used = new Set<number>();

  readonly html: string;

  constructor(
    html: string,
    private readonly inserts: readonly Insert[] = [],
  ) {
    this.html = withEndedComments(html);
  }

  static of(parts: readonly (string | Insert)[]): Fragment {
    const inserts: Insert[] = [];
    const html = parts.map((part) => {
      if (typeof part === 'string') return part;
      inserts.push(part);
      return `<!--insert:${inserts.length - 1}-->`;
    });
    return new Fragment(html.join(''), inserts);
  }

  /** The part that a comment represents. A part is given once: a text of the source may look like the comment. */
  insertAt(node: ChildNode): Insert | undefined {
    if (!isComment(node)) return undefined;
    const [, digits] = comment.exec(node.data) ?? [];
    return digits === undefined ? undefined : this.take(Number(digits));
  }

  /** The source of a node. Parts inside count as used. */
  sourceOf({ startIndex, endIndex }: ChildNode): string {
    if (startIndex === null || endIndex === null) return '';
    return this.html
      .slice(startIndex, endIndex + 1)
      .replace(pattern, (text, digits: string) => this.take(Number(digits))?.source ?? text);
  }

  /** Parts whose comments the parser did not see as comments, for example inside an unclosed tag. */
  takeUnused(): Insert[] {
    return this.inserts.filter((_, index) => this.take(index) !== undefined);
  }

  private take(index: number): Insert | undefined {
    if (this.used.has(index)) return undefined;
    this.used.add(index);
    return this.inserts[index];
  }
}
