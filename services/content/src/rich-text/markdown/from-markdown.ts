import type {
  BlockContent,
  Definition,
  DefinitionContent,
  List,
  ListItem,
  PhrasingContent,
  RootContent,
  Table,
} from 'mdast';
import { parseBlockComment } from './block-comment.js';
import { parseMarkdown } from './markdown-syntax.js';
import type { Block, SpanContent } from './rich-text-block.js';
import { SpanBuilder, type InlineImage } from './spans-from-markdown.js';

/** Properties of the text blocks of one container. */
interface TextProperties {
  style: string;
  listItem?: 'bullet' | 'number';
  level?: number;
}

type Content = BlockContent | DefinitionContent | RootContent;

/**
 * Converts Markdown to the blocks of rich text (sheet import-and-fields, 3.1 and 3.2): the same as an import makes of
 * the same content. HTML stays HTML; nothing of the text is lost.
 * @param text without a problem of `markdownProblem`
 */
export function fromMarkdown(text: string): Block[] {
  return new BlockBuilder().build(text);
}

class BlockBuilder {
  private readonly blocks: Block[] = [];
  private readonly definitions = new Map<string, Definition>();
  private readonly used = new Set<string>();

  build(text: string): Block[] {
    const { children } = parseMarkdown(text);
    this.collectDefinitions(children);
    this.addAll(children, { style: 'normal' });
    for (const [identifier, { label, url, title }] of this.definitions) {
      if (this.used.has(identifier)) continue;
      const source = `[${label ?? identifier}]: ${url}${title ? ` "${title}"` : ''}`;
      this.addText([{ type: 'text', value: source }], { style: 'normal' });
    }
    return withKeys(this.blocks);
  }

  private collectDefinitions(nodes: readonly Content[]): void {
    for (const node of nodes) {
      if (node.type === 'definition' && !this.definitions.has(node.identifier))
        this.definitions.set(node.identifier, node);
      if ('children' in node) this.collectDefinitions(node.children as Content[]);
    }
  }

  private addAll(nodes: readonly Content[], properties: TextProperties): void {
    for (const node of nodes) this.add(node, properties);
  }

  private add(node: Content, properties: TextProperties): void {
    switch (node.type) {
      case 'paragraph':
        this.addText(node.children, properties);
        break;
      case 'heading':
        this.addText(node.children, { ...properties, style: `h${node.depth}` });
        break;
      case 'blockquote':
        this.addAll(node.children, { style: 'blockquote' });
        break;
      case 'list':
        this.addList(node, 1);
        break;
      case 'code':
        this.blocks.push({
          _type: 'code',
          code: node.value,
          ...(node.lang ? { language: node.lang } : {}),
          ...(node.meta ? { meta: node.meta } : {}),
        });
        break;
      case 'thematicBreak':
        this.blocks.push({ _type: 'break', style: 'lineBreak' });
        break;
      case 'html':
        this.addHtml(node.value);
        break;
      case 'table':
        this.blocks.push(this.table(node));
        break;
      default:
        break;
    }
  }

  /** A writer of Markdown separates lists by an empty comment. */
  private addHtml(html: string): void {
    if (html.trim() === '<!---->') return;
    this.blocks.push(parseBlockComment(html) ?? { _type: 'htmlBlock', html });
  }

  private addText(nodes: readonly PhrasingContent[], properties: TextProperties): void {
    for (const part of this.spans(nodes))
      this.blocks.push('url' in part ? imageBlock(part) : { _type: 'block', ...properties, ...part });
  }

  private addList({ ordered, children }: List, level: number): void {
    for (const item of children) this.addItem(item, ordered ? 'number' : 'bullet', level);
  }

  /** The text of an item is one block: its further paragraphs are lines of it. */
  private addItem({ children }: ListItem, listItem: 'bullet' | 'number', level: number): void {
    const properties = { style: 'normal', listItem, level };
    let text: Block | undefined;
    if (children[0]?.type !== 'paragraph' && children[0]?.type !== 'heading') this.addText([], properties);
    for (const node of children) {
      if (node.type === 'list') {
        this.addList(node, level + 1);
      } else if (node.type === 'paragraph' && text !== undefined && text === this.blocks.at(-1)) {
        this.appendLine(text, node.children);
      } else {
        this.add(node, properties);
        text = node.type === 'paragraph' ? this.blocks.at(-1) : undefined;
      }
    }
  }

  /** Adds a line to the text of a block, or a block of its own where the text has links or images. */
  private appendLine(block: Block, nodes: readonly PhrasingContent[]): void {
    const [line, ...others] = this.spans(nodes);
    const { children } = block as unknown as SpanContent;
    const last = Array.isArray(children) ? children.at(-1) : undefined;
    if (!line || 'url' in line || others.length > 0 || line.markDefs.length > 0 || !last) {
      this.addText(nodes, { style: 'normal' });
      return;
    }
    const added = line.children.map((each, index) => ({ ...each, _key: `s${children.length + index}` }));
    const [first] = added;
    if (first) first.text = `\n${first.text}`;
    children.push(...added);
  }

  private table({ children }: Table): Block {
    return {
      _type: 'table',
      rows: children.map((row, rowIndex) => ({
        _type: 'tableRow',
        _key: `r${rowIndex}`,
        cells: row.children.map((cell, cellIndex) => {
          const { children: content, markDefs } = this.cellContent(cell.children);
          return {
            _type: 'tableCell',
            _key: `c${cellIndex}`,
            content,
            ...(markDefs.length > 0 ? { markDefs } : {}),
            ...(rowIndex === 0 ? { isHeader: true } : {}),
          };
        }),
      })),
      hasHeaderRow: true,
    };
  }

  /** A cell holds only text: an image becomes a link to it. */
  private cellContent(nodes: readonly PhrasingContent[]): SpanContent {
    const [first] = this.spans(nodes.map(imageAsLink));
    return first && 'children' in first ? first : { children: [], markDefs: [] };
  }

  private spans(nodes: readonly PhrasingContent[]): (SpanContent | InlineImage)[] {
    const use = (identifier: string) => {
      this.used.add(identifier);
      return this.definitions.get(identifier);
    };
    return new SpanBuilder({ use }).build(nodes);
  }
}

function imageAsLink(node: PhrasingContent): PhrasingContent {
  if (node.type === 'image')
    return {
      type: 'link',
      url: node.url,
      title: node.title ?? null,
      children: [{ type: 'text', value: node.alt ?? node.url }],
    };
  if (node.type === 'imageReference')
    return {
      ...node,
      type: 'linkReference',
      children: [{ type: 'text', value: node.alt ?? node.identifier }],
    };
  if ('children' in node) return { ...node, children: node.children.map(imageAsLink) } as PhrasingContent;
  return node;
}

/** The reference of an image that is not in the media library is its address. */
function imageBlock({ url, alt, title }: InlineImage): Block {
  const asset = { _type: 'reference', _ref: url, url };
  return { _type: 'image', asset, alt, ...(title === null ? {} : { caption: title }) };
}

/** Blocks of comments keep their keys, unless an earlier one has it; other keys come from the positions. */
function withKeys(blocks: readonly Block[]): Block[] {
  const kept = new Set<unknown>();
  const hasOwnKey = blocks.map(({ _key }) => {
    if (typeof _key !== 'string' || _key === '' || kept.has(_key)) return false;
    kept.add(_key);
    return true;
  });
  return blocks.map((block, index) => {
    if (hasOwnKey[index]) return block;
    let _key = `k${index}`;
    while (kept.has(_key)) _key += '_';
    return { ...block, _key };
  });
}
