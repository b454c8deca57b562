import { DomHandler, isTag, isText, Text, type ChildNode, type Element } from 'domhandler';
import { Parser } from 'htmlparser2';

/** Deeper elements are parsed as if they ended at once: their text stays, their tags have no effect. */
export const maxElementDepth = 256;

/** Elements without elements inside: they add no depth, and what is in them must not become text. */
const rawTextElements = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);

/** Builds the tree of a fragment, and knows what part of the source became nodes. */
class TreeHandler extends DomHandler {
  /** The end of the last complete node. */
  parsedTo = 0;

  get depth(): number {
    return this.tagStack.length - 1;
  }

  get isInRawText(): boolean {
    const open = this.tagStack.at(-1);
    return open !== undefined && isTag(open) && rawTextElements.has(open.name);
  }

  markEnd(endIndex: number): void {
    this.parsedTo = endIndex + 1;
  }
}

/**
 * Limits the depth of elements. The parser searches its list of open elements for each tag, and converters call
 * themselves for each level, so both need a limit.
 */
class BoundedParser extends Parser {
  /** Elements beyond the limit whose end tags follow. */
  private skipped = 0;
  private skipsTag = false;
  private state: 'opening' | 'closing' | undefined;

  constructor(
    private readonly handler: TreeHandler,
    private readonly maxDepth: number,
  ) {
    super(handler);
  }

  /** An element beyond the limit ends at once, as one that cannot have content. */
  protected override isVoidElement(name: string): boolean {
    if (super.isVoidElement(name)) return true;
    if (this.state === 'closing' || !this.skipsTag || rawTextElements.has(name)) return false;
    if (this.state === 'opening') this.skipped += 1;
    return true;
  }

  override onopentagname(start: number, endIndex: number): void {
    this.skipsTag = this.handler.depth >= this.maxDepth;
    this.state = 'opening';
    super.onopentagname(start, endIndex);
    this.state = undefined;
  }

  override onopentagend(endIndex: number): void {
    super.onopentagend(endIndex);
    this.handler.markEnd(endIndex);
  }

  override onclosetag(start: number, endIndex: number): void {
    if (this.skipped > 0 && !this.handler.isInRawText) {
      this.skipped -= 1;
      this.endIndex = endIndex;
      this.startIndex = endIndex + 1;
    } else {
      this.state = 'closing';
      super.onclosetag(start, endIndex);
      this.state = undefined;
    }
    this.handler.markEnd(endIndex);
  }

  override ontext(start: number, endIndex: number): void {
    super.ontext(start, endIndex);
    this.handler.markEnd(endIndex - 1);
  }

  override ontextentity(codePoint: number, endIndex: number): void {
    super.ontextentity(codePoint, endIndex);
    this.handler.markEnd(endIndex - 1);
  }

  override oncomment(start: number, endIndex: number, offset: number): void {
    super.oncomment(start, endIndex, offset);
    this.handler.markEnd(endIndex);
  }
}

/**
 * Parses a fragment of HTML. What a parser of HTML drops at the end of a document becomes text: a tag that never ends.
 * @param maxDepth the elements that may be inside each other
 */
export function parseHtml(html: string, maxDepth = maxElementDepth): ChildNode[] {
  const handler = new TreeHandler(undefined, { withStartIndices: true, withEndIndices: true });
  new BoundedParser(handler, maxDepth).end(html);
  const rest = html.slice(handler.parsedTo);
  // A doctype and the like is no text.
  if (rest !== '' && !rest.endsWith('>')) handler.dom.push(new Text(rest));
  return handler.dom;
}

/** HTML in which a comment without an end, which would hide the rest of the document, is text. */
export function withEndedComments(html: string): string {
  const end = html.lastIndexOf('-->') + 1;
  if (!html.includes('<!--', end)) return html;
  return html.slice(0, end) + html.slice(end).replaceAll('<!--', '&lt;!--');
}

/** The text of a node, without line breaks for elements. */
export function textOf(node: ChildNode): string {
  if (isText(node)) return node.data;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** The text of a piece of HTML, such as the value of an attribute of a shortcode. */
export const decodeText = (html: string): string => parseHtml(html).map(textOf).join('');

/** The classes of an element. */
export const classesOf = (element: Element): string[] =>
  (element.attribs['class'] ?? '').split(/\s+/).filter((name) => name !== '');

export const hasClass = (element: Element, name: string): boolean => classesOf(element).includes(name);

/** The first element, in document order, for which a test holds. */
export function findElement(
  nodes: readonly ChildNode[],
  test: (element: Element) => boolean,
): Element | undefined {
  for (const node of nodes) {
    if (!isTag(node)) continue;
    const found = test(node) ? node : findElement(node.children, test);
    if (found) return found;
  }
  return undefined;
}

/** The elements for which a test holds; not those inside one found. */
export function findElements(nodes: readonly ChildNode[], test: (element: Element) => boolean): Element[] {
  return nodes.flatMap((node) => {
    if (!isTag(node)) return [];
    return test(node) ? [node] : findElements(node.children, test);
  });
}

const mediaElements = new Set(['img', 'iframe', 'embed', 'video', 'audio', 'object']);

/** Whether an element shows what is at an address. */
export const isMedia = ({ name }: Element): boolean => mediaElements.has(name);

/** The element with a tag name. */
export const named =
  (...names: readonly string[]) =>
  (element: Element): boolean =>
    names.includes(element.name);
