/** Control characters that XML and PostgreSQL do not accept; tab, line feed and carriage return are not among them. */
// eslint-disable-next-line no-control-regex -- these characters are what the expression is about
export const removedControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Whether a code point is one of `removedControl`. */
export function isRemovedControl(code: number): boolean {
  return code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
}

/** The text without control characters (2.1), and whether it had any. */
export function withoutControlCharacters(text: string): { text: string; isChanged: boolean } {
  const cleaned = text.replace(removedControl, '');
  return { text: cleaned, isChanged: cleaned.length !== text.length };
}
