const stringStart = /s:\d+:"/g;
/** What can follow a string in PHP's serialised form. */
const following = /(?:s:\d+:"|a:\d+:\{|i:[+-]?\d+;|d:[^;]{1,40};|b:[01];|N;|\}|$)/y;
const stringEnd = '";';

/**
 * Counts the lengths of the strings in a serialised value again. Lengths are often wrong in real files: a replaced
 * address, a changed encoding or other line ends alter the text and not the number before it.
 * @param serialised a value that cannot be parsed as it is
 * @returns the value with the lengths of its strings in bytes; null if a string has no end
 */
export function withCountedLengths(serialised: string): string | null {
  let counted = '';
  let position = 0;
  for (
    let start = nextString(serialised, position);
    start !== null;
    start = nextString(serialised, position)
  ) {
    const end = endOfString(serialised, start.text);
    if (end === -1) return null;
    const text = serialised.slice(start.text, end);
    counted += `${serialised.slice(position, start.at)}s:${Buffer.byteLength(text)}:"${text}${stringEnd}`;
    position = end + stringEnd.length;
  }
  return counted + serialised.slice(position);
}

function nextString(serialised: string, position: number): { at: number; text: number } | null {
  stringStart.lastIndex = position;
  const match = stringStart.exec(serialised);
  return match === null ? null : { at: match.index, text: match.index + match[0].length };
}

function endOfString(serialised: string, from: number): number {
  let end = serialised.indexOf(stringEnd, from);
  while (end !== -1) {
    following.lastIndex = end + stringEnd.length;
    if (following.test(serialised)) return end;
    end = serialised.indexOf(stringEnd, end + 1);
  }
  return -1;
}
