/** Characters that cannot be stored or shown: controls except tabs and line breaks, and unpaired surrogates. */
const unwanted = /(?![\t\n])\p{Cc}|\p{Cs}/gu;

/** Text for storage and display: any string in, a text that can be stored everywhere out. */
export const plainText = (text: string): string => text.replace(unwanted, ' ');

/** Truncates to a number of UTF-16 units, without splitting a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const isWithinPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isWithinPair ? length - 1 : length);
}
