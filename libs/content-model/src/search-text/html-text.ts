const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const withoutWords = /^(script|style)\b/i;

/** The text of HTML without tags, for search and not for display. Takes linear time for any input. */
export function textOfHtml(html: string): string {
  const [before = '', ...tags] = html.split('<');
  const words = tags.map((tag) => (withoutWords.test(tag) ? '' : tag.slice(tag.indexOf('>') + 1)));
  const text = [before, ...words].join(' ');
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ').trim();
}
