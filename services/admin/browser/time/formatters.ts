import { useMemo } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { placeOf } from './site-time.js';

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Formats instants in the user's language and in the zone of the site. */
export interface TimeFormatters {
  /** "3 hours ago". */
  relative: (iso: string) => string;
  /** Day and time, with the place of the zone. */
  exact: (iso: string) => string;
  /** The day, with the year unless it is the current one. */
  day: (iso: string) => string;
  /** The day and the time, with the place of the zone. */
  moment: (iso: string) => string;
  /** The time of day on the user's own clock. @param ms since the epoch */
  clock: (ms: number) => string;
}

/** @param now milliseconds since the epoch */
export function createFormatters(locale: string, timeZone: string, now = () => Date.now()): TimeFormatters {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const exact = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'medium' });
  const yearOf = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' });
  const day = { timeZone, day: 'numeric', month: 'short' } as const;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const formats = {
    day: [new Intl.DateTimeFormat(locale, day), new Intl.DateTimeFormat(locale, { ...day, year: 'numeric' })],
    moment: [
      new Intl.DateTimeFormat(locale, { ...day, ...time }),
      new Intl.DateTimeFormat(locale, { ...day, ...time, year: 'numeric' }),
    ],
  };
  const formatted = (kind: 'day' | 'moment', iso: string) => {
    const isThisYear = yearOf.format(new Date(iso)) === yearOf.format(now());
    return formats[kind][isThisYear ? 0 : 1]?.format(new Date(iso)) ?? '';
  };
  const clock = new Intl.DateTimeFormat(locale, time);
  const place = placeOf(timeZone);
  return {
    relative: (iso) => {
      const seconds = (Date.parse(iso) - now()) / 1000;
      const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
      // A clock that is a little behind the server's shows no future.
      const rounded = unit === 'second' ? Math.min(0, Math.trunc(seconds / 30)) * 30 : seconds / length;
      return relative.format(Math.trunc(rounded), unit);
    },
    exact: (iso) => `${exact.format(new Date(iso))} (${place})`,
    day: (iso) => formatted('day', iso),
    moment: (iso) => `${formatted('moment', iso)} (${place})`,
    clock: (ms) => clock.format(ms),
  };
}

/** The formatters of the user's language. @param timeZone of the site */
export function useTimeFormatters(timeZone: string): TimeFormatters {
  const { locale } = useLocale();
  return useMemo(() => createFormatters(locale, timeZone), [locale, timeZone]);
}
