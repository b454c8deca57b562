/** Whether a value is an object with names, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of an object that have a value: a name with undefined is an absent one, as in JSON. */
function presentNames(value: Record<string, unknown>): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

/** Whether two values of fields are equal; the order of names in objects does not matter. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = presentNames(a);
  return names.length === presentNames(b).length && names.every((name) => isEqual(a[name], b[name]));
}

/** A text that equal values share, and no others. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
    ) ?? 'undefined'
  );
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** Whether two texts are dates with times that mean the same instant. */
function isSameInstant(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || !instant.test(a) || !instant.test(b)) return false;
  return Date.parse(a) === Date.parse(b);
}

/**
 * Whether a value that the server returns is the one that was sent, as the server stores it: dates are written as UTC,
 * and media values get properties from the library.
 */
export function isNormalisedFrom(stored: unknown, sent: unknown): boolean {
  if (isEqual(stored, sent) || isSameInstant(stored, sent)) return true;
  // A cleared value is null or absent.
  if ((stored ?? null) === null && (sent ?? null) === null) return true;
  if (Array.isArray(stored) && Array.isArray(sent))
    return (
      stored.length === sent.length && sent.every((item, index) => isNormalisedFrom(stored[index], item))
    );
  if (!isRecord(stored) || !isRecord(sent)) return false;
  return presentNames(sent).every((name) => isNormalisedFrom(stored[name], sent[name]));
}
