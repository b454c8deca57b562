import pg from 'pg';

const int8 = 20;
const numeric = 1700;
const timestamptz = 1184;

/** Converts "2025-01-24 12:00:00.123+00", the format of a session in UTC, to the ISO 8601 form of responses. */
export function isoFromTimestamp(text: string): string {
  const [, date, time, fraction = ''] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(text) ?? [];
  if (date === undefined) return new Date(text).toISOString();
  return `${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

/**
 * Conversion of column values: whole numbers to numbers (bigint columns hold at most 2^53 - 1), instants to ISO
 * strings, so that hot reads create no Date objects only to print them.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === int8 || oid === numeric) return Number;
    if (oid === timestamptz) return isoFromTimestamp;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};
