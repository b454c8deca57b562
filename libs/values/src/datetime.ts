const written =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,20}))?)?(?:Z|([+-])(\d{2}):(\d{2}))?$/;
/** PostgreSQL's output format: a space, and offsets that may lack minutes or have seconds. */
const printed =
  /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(?:Z|([+-])(\d{2})(?::?(\d{2}))?(?::?(\d{2}))?)$/;
const zone = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The datetime rule for writes through the API, MCP and the CLI (document 3, `datetime` rules; sheet import-and-fields,
 * 4.5).
 * @param value an ISO 8601 time with `Z` or an explicit offset; seconds are optional
 * @returns the instant in UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ` (further digits are cut, not rounded), or null if invalid
 */
export function normaliseDatetime(value: string): string | null {
  return zone.test(value) ? instantOf(written.exec(value)) : null;
}

/**
 * The datetime rule for seeds and imports: as above, and a time without a zone, also a bare date or one with a space
 * before the time, is read as UTC. Returns null if invalid.
 */
export function normaliseSeedDatetime(value: string): string | null {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00` : value.replace(' ', 'T');
  return instantOf(written.exec(time));
}

/**
 * The API form of an instant read from a timestamptz column.
 * @param value the driver's value: a Date, or PostgreSQL's text
 * @throws TypeError for any other value
 */
export function datetimeFromColumn(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  const instant = typeof value === 'string' ? instantOf(printed.exec(value)) : null;
  if (instant === null) throw new TypeError('not a timestamptz value');
  return instant;
}

function instantOf(match: RegExpExecArray | null): string | null {
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(part) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < 1 || hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59 || part(11) > 59)
    return null;

  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = new Date(0);
  // Date.UTC would read the years 1 to 99 as 1901 to 1999.
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  local.setUTCHours(hour, minute, second, millisecond);

  const offsetSeconds = (match[8] === '-' ? -1 : 1) * (part(9) * 3600 + part(10) * 60 + part(11));
  const instant = new Date(local.getTime() - offsetSeconds * 1000);
  // An offset can move the limits of the range into the years 0 and 10000, which have no four-digit form.
  const utcYear = instant.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? instant.toISOString() : null;
}
