const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};
const styles: Readonly<Record<string, string>> = {
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  h5: 'h5',
  h6: 'h6',
  blockquote: 'blockquote',
};
const blockElement = /<(p|h[1-6]|li|blockquote|pre|td|th|figcaption)\b[^>]*>([\s\S]*?)<\/\1>/gi;

function decode(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (name[0] !== '#') return namedEntities[name] ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : '';
  });
}

/** Text without markup. */
export const plainText = (html: string) =>
  decode(html.replace(/<br\s*\/?>/gi, '\n').replace(/<[^>]*>/g, '')).trim();

/** One line of text as a rich-text block. */
function block(text: string, element = 'p'): object {
  const listItem = element === 'li' ? { listItem: 'bullet', level: 1 } : {};
  return {
    _type: 'block',
    style: styles[element] ?? 'normal',
    ...listItem,
    children: [{ _type: 'span', text }],
  };
}

/**
 * The body of a post as rich text: headings, paragraphs, quotes and list items. It keeps all text but few formats; the
 * importer converts all of them.
 */
export function richText(html: string): object[] {
  const blocks: object[] = [];
  const add = (part: string, element?: string) => {
    const text = plainText(part);
    if (text) blocks.push(block(text, element));
  };
  const addParagraphs = (part: string) => {
    for (const paragraph of part.split(/\n\s*\n/)) add(paragraph);
  };
  const body = html.replace(/<!--[\s\S]*?-->/g, '');
  let end = 0;
  for (const match of body.matchAll(blockElement)) {
    const [, element = 'p', inner = ''] = match;
    addParagraphs(body.slice(end, match.index));
    add(inner, element.toLowerCase());
    end = match.index + match[0].length;
  }
  addParagraphs(body.slice(end));
  return blocks;
}
