/**
 * Whether a text is base64 with padding (RFC 4648, section 4). An expression for the whole text would backtrack, which
 * takes too much memory for a large file.
 */
export function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(digits);
}
