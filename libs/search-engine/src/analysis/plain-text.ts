/** What neither a database nor a page takes: controls but tabs and line breaks, and halves of surrogate pairs. */
const unwanted = /(?![\t\n])\p{Cc}|\p{Cs}/gu;

/** Text as it is kept and shown: any string goes in, and what comes out can be stored everywhere. */
export const plainText = (text: string): string => text.replace(unwanted, ' ');

/** At most so many UTF-16 units, without cutting a character in two. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const isWithinPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isWithinPair ? length - 1 : length);
}
