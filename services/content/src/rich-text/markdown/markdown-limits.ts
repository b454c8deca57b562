/** Characters of the Markdown in one write. */
export const maxMarkdownLength = 100_000;
/** Characters that may begin a mark or a link, in one paragraph: the parser takes quadratic time for them. */
const maxMarkers = 1_000;

const markers = /[*_~[>]+/g;
/** A blank line, or the first line of a heading or of a list's item: a paragraph never continues in it. */
const paragraphEnd = /\n(?=[ \t]*(?:\n|$)| {0,3}(?:[-*+] +|#{1,6} )\S)/;

/** @returns why a text is not converted from Markdown; undefined for a text that is. */
export function markdownProblem(text: string): string | undefined {
  if (text.length > maxMarkdownLength) return `must have at most ${maxMarkdownLength} characters of Markdown`;
  const hasTooMany = text.split(paragraphEnd).some((part) => (part.match(markers)?.length ?? 0) > maxMarkers);
  return hasTooMany
    ? `must have at most ${maxMarkers} of the characters * _ ~ [ > in one paragraph`
    : undefined;
}
