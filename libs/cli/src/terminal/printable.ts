const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A text on one line: the texts of a site must not control the terminal. */
export function printable(text: string): string {
  return text.replace(unprintable, ' ');
}
