import { Parser } from 'htmlparser2';

/** Elements inside a line of text; all others separate words. */
const inline = new Set([
  ...[
    'a',
    'abbr',
    'acronym',
    'b',
    'bdi',
    'bdo',
    'big',
    'cite',
    'code',
    'del',
    'dfn',
    'em',
    'font',
    'i',
    'ins',
    'kbd',
  ],
  ...[
    'mark',
    'q',
    'rb',
    'rp',
    'rt',
    'ruby',
    's',
    'samp',
    'small',
    'span',
    'strike',
    'strong',
    'sub',
    'sup',
    'tt',
  ],
  ...['u', 'var', 'wbr', 'button'],
]);
/** Content that a browser does not show as text. */
const unshown = new Set(['script', 'style', 'video', 'audio', 'iframe', 'object', 'template']);
/** Rule of section 3.2: the sign of an accordion is not text. */
const unshownClasses = ['wp-block-accordion-heading__toggle-icon'];

/** The text of HTML that a reader sees, with spaces between blocks. */
function shownText(html: string): string {
  let text = '';
  const open: { name: string; isUnshown: boolean }[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const classes = (attributes['class'] ?? '').split(' ');
      const isUnshown = unshown.has(name) || unshownClasses.some((each) => classes.includes(each));
      open.push({ name, isUnshown: isUnshown || (open.at(-1)?.isUnshown ?? false) });
      if (!inline.has(name) || classes.includes('wp-block-file__button')) text += ' ';
      // Section 3.2 and 3.3: an embedded frame becomes an embed by its address.
      if (name === 'iframe') text += ` ${attributes['src'] ?? ''} `;
    },
    ontext: (data) => {
      if (open.at(-1)?.isUnshown !== true) text += data;
    },
    onclosetag: (name) => {
      open.pop();
      if (!inline.has(name)) text += ' ';
    },
    // Section 3.2: these comments break the text.
    oncomment: (data) => {
      if (/^\s*(?:more|nextpage)\b/.test(data)) text += ' ';
    },
  });
  parser.end(html);
  return text;
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '' && word !== '—');

const knownTag = /\[\/?(?:audio|video|playlist|embed|caption|wp_caption)(?:\s[^[\]]*)?\]/g;
const galleryTag = /\[gallery(?:\s[^[\]]*)?\]/g;

/** What the words of a source depend on beside its body. */
export interface SourceFacts {
  /** The notes, which follow the body (section 3.2). */
  footnotes: readonly string[];
  /** Whether the images of a gallery's tag are known; the tag of another gallery stays (section 3). */
  isKnownGallery: (tag: string) => boolean;
}

/** Section 3.3: tags of known shortcodes are no text, except the caption in an old one; `[[x]]` is `[x]`. */
function withoutShortcodes(html: string, { isKnownGallery }: SourceFacts): string {
  return html
    .replace(/\[\[([a-z][\w-]*[^[\]]*)\]\]/g, '\u0001$1\u0002')
    .replace(/\[caption[^[\]]*\scaption="([^"]*)"[^[\]]*\]/g, ' $1 ')
    .replace(knownTag, ' ')
    .replace(galleryTag, (tag) => (isKnownGallery(tag) ? ' ' : tag))
    .replaceAll('\u0001', '[')
    .replaceAll('\u0002', ']');
}

/** The words that a reader sees in a body, found without the converter: its HTML without comments and tags. */
export function sourceWords(body: string, facts: SourceFacts): string[] {
  return wordsOf(shownText(withoutShortcodes([body, ...facts.footnotes].join('\n<p></p>'), facts)));
}

type Node = Record<string, unknown>;

/** Section 3.2: captions are plain text, where the address of a link follows its text. */
const linkAddress = / \((?:https?:\/\/|mailto:|tel:|\/)[^\s()]*\)/g;

/** The words in converted blocks. */
export function resultWords(blocks: readonly Node[]): string[] {
  return blocks.flatMap((block) => wordsOf(blockText(block)));
}

function blockText(block: Node): string {
  const parts: string[] = [];
  const add = (value: unknown): void => {
    if (typeof value === 'string') parts.push(value.replace(linkAddress, ''));
  };
  const nested = (value: unknown): void => {
    if (Array.isArray(value)) parts.push(...value.map((each) => blockText(each as Node)));
  };
  switch (block['_type']) {
    case 'block':
      add(spansText(block['children']));
      break;
    case 'tableCell':
      add(spansText(block['content']));
      break;
    case 'htmlBlock':
      add(shownText(String(block['html'])));
      break;
    case 'embed':
      if (!['video', 'audio'].includes(String(block['provider']))) add(block['url']);
      add(block['caption']);
      break;
    case 'gallery':
    case 'table':
      for (const list of ['images', 'rows']) nested(block[list]);
      add(block['caption']);
      break;
    case 'file':
      add(block['filename']);
      if (block['showDownloadButton'] === true) add('Download');
      break;
    default:
      for (const name of ['code', 'text', 'citation', 'caption']) add(block[name]);
      for (const list of ['cells', 'columns', 'buttons', 'content']) nested(block[list]);
  }
  return parts.join(' ');
}

const spansText = (spans: unknown): string => (spans as { text: string }[]).map(({ text }) => text).join('');
