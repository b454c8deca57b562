const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const withoutWords = /^(script|style)\b/i;

/**
 * What is left of HTML without its tags: for finding, not for showing. Takes time in proportion to its length, whatever
 * it is.
 */
export function textOfHtml(html: string): string {
  const [before = '', ...tags] = html.split('<');
  const words = tags.map((tag) => (withoutWords.test(tag) ? '' : tag.slice(tag.indexOf('>') + 1)));
  const text = [before, ...words].join(' ');
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ').trim();
}
