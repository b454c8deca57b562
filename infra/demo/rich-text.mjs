const namedEntities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const styles = { h1: 'h1', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h5', h6: 'h6', blockquote: 'blockquote' };
const blockElement = /<(p|h[1-6]|li|blockquote|pre|td|th|figcaption)\b[^>]*>([\s\S]*?)<\/\1>/gi;

function decode(text) {
  return text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name) => {
    if (name[0] !== '#') return namedEntities[name] ?? whole;
    const code = name[1].toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : '';
  });
}

const plain = (html) => decode(html.replace(/<br\s*\/?>/gi, '\n').replace(/<[^>]*>/g, '')).trim();

/** One line of text as a rich-text block. */
function block(text, element = 'p') {
  const listItem = element === 'li' ? { listItem: 'bullet', level: 1 } : {};
  return {
    _type: 'block',
    style: styles[element] ?? 'normal',
    ...listItem,
    children: [{ _type: 'span', text }],
  };
}

/**
 * The body of a post as rich text: headings, paragraphs, quotes and list items. Simple on purpose; no text is lost. The
 * importer does this in earnest.
 */
export function richText(html) {
  const blocks = [];
  const rest = (part) => {
    for (const paragraph of part.split(/\n\s*\n/)) if (plain(paragraph)) blocks.push(block(plain(paragraph)));
  };
  const body = html.replace(/<!--[\s\S]*?-->/g, '');
  let end = 0;
  for (const match of body.matchAll(blockElement)) {
    rest(body.slice(end, match.index));
    if (plain(match[2])) blocks.push(block(plain(match[2]), match[1].toLowerCase()));
    end = match.index + match[0].length;
  }
  rest(body.slice(end));
  return blocks;
}

/** Text without markup, for excerpts. */
export const plainText = (html) => plain(html);
