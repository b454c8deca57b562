/** A block of rich text before its key is set: the key is its position. */
export interface Block {
  _type: string;
  [name: string]: unknown;
}

/** A block as stored: an object with a `_type`, and a `_key` unique in its array. */
export interface PortableTextBlock extends Block {
  _key: string;
}

export interface Span {
  _type: 'span';
  _key: string;
  text: string;
  marks: string[];
}

/** The target of a link, which spans name as a mark. */
export interface LinkDefinition {
  _type: 'link';
  _key: string;
  href: string;
  blank?: true;
}

/** The text of a block with the links in it. */
export interface SpanContent {
  children: Span[];
  markDefs: LinkDefinition[];
}

/** A text block that is not a list item. */
export function textBlock(style: string, { children, markDefs }: SpanContent): Block {
  return { _type: 'block', style, children, markDefs };
}

/** The content of a text block or a table cell without text. */
export const emptyContent = (): SpanContent => ({
  children: [{ _type: 'span', _key: 's0', text: '', marks: [] }],
  markDefs: [],
});

/** HTML that has no other form in rich text. It is stored raw, so it must be sanitised when rendered. */
export function htmlBlock(html: string, original?: { name: string; attributes?: object }): Block {
  return {
    _type: 'htmlBlock',
    html,
    ...(original ? { originalBlockName: original.name } : {}),
    ...(original?.attributes ? { originalAttrs: original.attributes } : {}),
  };
}

/** Sets keys from the positions, so that the same input gives the same bytes. */
export function withKeys(blocks: readonly Block[], prefix = 'b'): PortableTextBlock[] {
  return blocks.map(({ _type, ...properties }, index) => ({
    _type,
    _key: `${prefix}${index}`,
    ...properties,
  }));
}

/** The text of spans without marks. */
export const textOfSpans = ({ children }: SpanContent): string => children.map(({ text }) => text).join('');

/**
 * The text of spans for a property that is plain text, such as a caption. The address of a link follows its text in
 * brackets; one that is the text itself, or a place in the page, does not.
 */
export function textWithAddresses({ children, markDefs }: SpanContent): string {
  if (markDefs.length === 0) return textOfSpans({ children, markDefs });
  const linkOf = (span: Span | undefined) => markDefs.find(({ _key }) => span?.marks.includes(_key));
  let text = '';
  let linked = '';
  children.forEach((span, index) => {
    const link = linkOf(span);
    linked += span.text;
    if (link && link === linkOf(children[index + 1])) return;
    text += link ? withAddress(linked, link.href) : linked;
    linked = '';
  });
  return text;
}

function withAddress(text: string, href: string): string {
  const label = text.trimEnd();
  const isShown = href.startsWith('#') || bareAddress(href) === bareAddress(label.trim());
  return isShown ? text : `${label} (${href})${text.slice(label.length)}`;
}

const bareAddress = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').replace(/\/$/, '');

/** Properties of blocks whose value is the address of a media file. */
const addressKeys = ['backgroundImage', 'backgroundVideo', 'poster'] as const;
/** Properties with further blocks. */
const nestedKeys = ['images', 'columns', 'content'] as const;

/**
 * The number of media files that blocks refer to, in columns and covers as well: images, also those of galleries,
 * backgrounds of covers, files, and players with their posters. Embedded pages of other sites are no media.
 */
export function countMediaReferences(blocks: readonly unknown[]): number {
  let count = 0;
  for (const block of blocks) {
    if (typeof block !== 'object' || block === null) continue;
    const properties = block as Readonly<Record<string, unknown>>;
    if (isMedia(properties)) count += 1;
    for (const key of addressKeys) if (typeof properties[key] === 'string') count += 1;
    for (const key of nestedKeys) {
      const nested = properties[key];
      if (Array.isArray(nested)) count += countMediaReferences(nested);
    }
  }
  return count;
}

function isMedia({ _type, provider }: Readonly<Record<string, unknown>>): boolean {
  if (_type === 'embed') return provider === 'video' || provider === 'audio';
  return _type === 'image' || _type === 'file';
}
