/** The sign between whole numbers and decimals in a language. */
function decimalSign(locale: string): string {
  return (
    new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  );
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Spaces between groups of three digits. */
const groupSpace = /(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g;
/** A point where groups of digits have one in languages with a decimal comma. */
const groupedByPoint = /^[+-]?\d{1,3}\.\d{3}$/;

/**
 * The number that a text is in a language; the decimal point is always accepted.
 * @returns the text where it is no number, so that it is kept; null for an empty one
 */
export function readNumber(text: string, locale: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const plain = trimmed.replaceAll(groupSpace, '').replace('\u2212', '-');
  const normalised = plain.includes('.') ? plain : plain.replace(decimalSign(locale), '.');
  if (!numberPattern.test(normalised)) return text;
  // JSON has no negative zero: "-0", on the way to "-0.5", would be another value once it is saved.
  const value = Number(normalised) + 0;
  return Number.isFinite(value) ? value : text;
}

/** The text of a number in a language, with all its digits; texts as they are, other values as JSON. */
export function writeNumber(value: unknown, locale: string): string {
  if (typeof value === 'number') return String(value).replace('.', decimalSign(locale));
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** Whether users of a language may mean thousands by the point of a text, which is read as a decimal point. */
export function isAmbiguous(text: string, locale: string): boolean {
  return decimalSign(locale) !== '.' && groupedByPoint.test(text.trim());
}
