import type { Definition, Image, ImageReference, PhrasingContent } from 'mdast';
import { hrefOfNewWindowLink, markOfTag } from './markdown-syntax.js';
import type { Link, SpanContent } from './rich-text-block.js';

/** An image inside a text, which becomes a block of its own. */
export interface InlineImage {
  url: string;
  alt: string;
  title: string | null;
}

/** The targets of references, by identifier; `use` marks one as used. */
export interface Definitions {
  use(identifier: string): Definition | undefined;
}

/**
 * Collects the spans of one text. Inline HTML is text, except the elements that `toMarkdown` writes; line ends of the
 * source are spaces.
 */
export class SpanBuilder {
  private content: SpanContent = { children: [], markDefs: [] };
  /** The text between images, and the images. */
  readonly parts: (SpanContent | InlineImage)[] = [];

  constructor(private readonly definitions: Definitions) {}

  /** @returns the texts and images in their order; at least one text. */
  build(nodes: readonly PhrasingContent[]): (SpanContent | InlineImage)[] {
    this.addAll(nodes, []);
    this.endText();
    return this.parts.length > 0 ? this.parts : [{ children: [span('', [], 0)], markDefs: [] }];
  }

  private addAll(nodes: readonly PhrasingContent[], marks: readonly string[]): void {
    for (let index = 0; index < nodes.length; index += 1) {
      const node = nodes[index];
      if (!node) continue;
      const end = node.type === 'html' ? closingIndex(nodes, index) : -1;
      const mark = node.type === 'html' && end > 0 ? this.markOfHtml(node.value) : undefined;
      if (mark === undefined) {
        this.add(node, marks);
      } else {
        this.addAll(nodes.slice(index + 1, end), [...marks, mark]);
        index = end;
      }
    }
  }

  private add(node: PhrasingContent, marks: readonly string[]): void {
    switch (node.type) {
      case 'text':
        this.addText(node.value.replaceAll('\n', ' '), marks);
        break;
      case 'html':
        this.addText(/^<br\s*\/?>$/i.test(node.value) ? '\n' : node.value, marks);
        break;
      case 'break':
        this.addText('\n', marks);
        break;
      case 'inlineCode':
        this.addText(node.value, [...marks, 'code']);
        break;
      case 'strong':
        this.addAll(node.children, [...marks, 'strong']);
        break;
      case 'emphasis':
        this.addAll(node.children, [...marks, 'em']);
        break;
      case 'delete':
        this.addAll(node.children, [...marks, 'strike-through']);
        break;
      case 'link':
        this.addLink(node.children, node, marks);
        break;
      case 'linkReference': {
        const target = this.definitions.use(node.identifier);
        if (target) this.addLink(node.children, target, marks);
        else this.addAll(node.children, marks);
        break;
      }
      case 'image':
      case 'imageReference':
        this.addImage(node, marks);
        break;
      default:
        break;
    }
  }

  /** A link without a text shows its address. */
  private addLink(
    nodes: readonly PhrasingContent[],
    { url, title }: Pick<Definition, 'url' | 'title'>,
    marks: readonly string[],
  ): void {
    const marked = [...marks, this.linkMark(url, { title })];
    if (nodes.length > 0) this.addAll(nodes, marked);
    else this.addText(url, marked);
  }

  private addImage(node: Image | ImageReference, marks: readonly string[]): void {
    const target = node.type === 'image' ? node : this.definitions.use(node.identifier);
    if (!target) {
      this.addText(node.alt ?? '', marks);
      return;
    }
    this.endText();
    this.parts.push({ url: target.url, alt: node.alt ?? '', title: target.title ?? null });
  }

  private addText(text: string, marks: readonly string[]): void {
    if (text === '') return;
    const { children } = this.content;
    const last = children.at(-1);
    const unique = [...new Set(marks)];
    if (last && last.marks.join(' ') === unique.join(' ')) last.text += text;
    else children.push(span(text, unique, children.length));
  }

  private linkMark(
    href: string,
    { title, blank }: { title?: string | null | undefined; blank?: true },
  ): string {
    const { markDefs } = this.content;
    const link: Omit<Link, '_key'> = {
      _type: 'link',
      href,
      ...(title ? { title } : {}),
      ...(blank ? { blank } : {}),
    };
    const known = markDefs.find(
      (each) => each.href === href && (each.title ?? '') === (title ?? '') && each.blank === blank,
    );
    if (known) return known._key;
    const _key = `l${markDefs.length}`;
    markDefs.push({ ...link, _key });
    return _key;
  }

  private markOfHtml(html: string): string | undefined {
    const href = hrefOfNewWindowLink(html);
    return href === undefined ? markOfTag[html.slice(1, -1)] : this.linkMark(href, { blank: true });
  }

  /** Spaces between a text and an image are not part of the text. */
  private endText(): void {
    const { children } = this.content;
    const isBlank = children.every(({ text }) => text.trim() === '');
    if (!isBlank) this.parts.push(this.content);
    this.content = { children: [], markDefs: [] };
  }
}

/** The index of the end tag of the element that begins at an index; -1 without one. */
function closingIndex(nodes: readonly PhrasingContent[], start: number): number {
  const node = nodes[start];
  const [, name] = node?.type === 'html' ? (/^<(\w+)/.exec(node.value) ?? []) : [];
  if (name === undefined) return -1;
  return nodes.findIndex(
    (each, index) => index > start && each.type === 'html' && each.value === `</${name}>`,
  );
}

const span = (text: string, marks: string[], index: number): SpanContent['children'][number] => ({
  _type: 'span',
  _key: `s${index}`,
  text,
  marks,
});
