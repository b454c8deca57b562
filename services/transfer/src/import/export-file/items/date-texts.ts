/** A date text of the source: an instant, no date, or one that cannot be read. */
export type ReadDate = Date | 'none' | 'invalid';

const local = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const rfc822 =
  /^(?:[A-Za-z]{3},?\s+)?(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s+([+-]\d{4}|GMT|UTC?|Z)$/;
const zeroDate = /^0000-00-00/;
/** What the source's formatter makes of a zero date, `Wed, 30 Nov -0001 00:00:00 +0000`. */
const zeroPubDate = /\s-\d{4}\s/;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads `YYYY-MM-DD HH:MM:SS` as if it were UTC (2.2). Zero dates and empty texts are no dates; a day that the calendar
 * lacks is invalid.
 */
export function readWallClock(text: string): ReadDate {
  if (text === '' || zeroDate.test(text)) return 'none';
  const match = local.exec(text);
  if (match === null) return 'invalid';
  const [, year, month, day, hour, minute, second] = match;
  return utcDate(Number(year), Number(month) - 1, Number(day), [hour, minute, second]);
}

/** Reads the `pubDate` of an item, a date of RFC 822 with a four-digit year. */
export function readPubDate(text: string): ReadDate {
  if (text === '' || zeroPubDate.test(text)) return 'none';
  const match = rfc822.exec(text);
  if (match === null) return 'invalid';
  const [, day, monthName = '', year, hour, minute, second, zone = 'Z'] = match;
  const month = months.indexOf(monthName.toLowerCase());
  const date = month === -1 ? 'invalid' : utcDate(Number(year), month, Number(day), [hour, minute, second]);
  return date instanceof Date ? new Date(date.getTime() - zoneMinutes(zone) * 60_000) : date;
}

function utcDate(year: number, month: number, day: number, time: readonly (string | undefined)[]): ReadDate {
  const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
  if (year < 1 || hour > 23 || minute > 59 || second > 59) return 'invalid';
  const date = new Date(0);
  // Date.UTC would read the years 1 to 99 as 1901 to 1999.
  date.setUTCFullYear(year, month, day);
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return 'invalid';
  date.setUTCHours(hour, minute, second);
  return date;
}

function zoneMinutes(zone: string): number {
  const match = /^([+-])(\d{2})(\d{2})$/.exec(zone);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}
