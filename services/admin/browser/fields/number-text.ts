/** The sign between whole numbers and decimals in a language. */
function decimalSign(locale: string): string {
  return (
    new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  );
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The number that a text is in a language; the decimal point is always accepted.
 * @returns the text where it is no number, so that it is kept; null for an empty one
 */
export function readNumber(text: string, locale: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const sign = decimalSign(locale);
  const plain = trimmed.replaceAll(/[\u00a0\u202f ]/g, '').replace('\u2212', '-');
  const normalised = plain.includes('.') ? plain : plain.replace(sign, '.');
  if (!numberPattern.test(normalised)) return text;
  const value = Number(normalised);
  return Number.isFinite(value) ? value : text;
}

/** The text of a number in a language, with all its digits; other values as they are. */
export function writeNumber(value: unknown, locale: string): string {
  if (typeof value === 'number') return String(value).replace('.', decimalSign(locale));
  return typeof value === 'string' ? value : '';
}
