import { Parser } from 'htmlparser2';
import type { UrlMap, Replaced } from '@quire/values';

/** A replacement of the characters from `start` to `end`. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * Replaces addresses of files in HTML: in all attributes (src, srcset, href, poster), in styles, in comments, and in
 * the text, where shortcodes are. Everything else stays as it is, character by character.
 */
export function rewriteHtml(html: string, urls: UrlMap): Replaced {
  if (!html.includes('/') && !html.includes('&')) return { text: html, count: 0 };
  const parts: string[] = [];
  let count = 0;
  let position = 0;
  const append = (raw: string) => {
    const replaced = urls.replaceIn(raw);
    parts.push(replaced.text);
    count += replaced.count;
  };
  for (const { start, end, text } of attributeEdits(html, urls)) {
    append(html.slice(position, start));
    parts.push(text);
    count += 1;
    position = end;
  }
  append(html.slice(position));
  return { text: parts.join(''), count };
}

/** Attributes whose whole value is an address: it may have spaces, and any character may be escaped. */
function attributeEdits(html: string, urls: UrlMap): Edit[] {
  const edits: Edit[] = [];
  const parser = new Parser({
    onattribute: (_name, value) => {
      const url = value.trim();
      const to = urls.find(url);
      if (to === undefined || to === url) return;
      const { startIndex: start, endIndex: end } = parser;
      const [name = ''] = /^[^=]*/.exec(html.slice(start, end)) ?? [];
      edits.push({ start, end, text: `${name}="${escapeAttribute(to)}"` });
    },
  });
  parser.end(html);
  return edits;
}

const escapeAttribute = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
