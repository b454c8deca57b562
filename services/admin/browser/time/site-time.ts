const dayMs = 24 * 60 * 60 * 1000;

/** Milliseconds that the clocks of a zone are ahead of UTC at an instant. */
function offsetMs(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = new Date(0);
  // Date.UTC would read the years 1 to 99, which a year has while it is typed, as 1901 to 1999.
  local.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant at which the clocks of a zone show a time. Of two, the earlier one; a time that the clocks skip is moved
 * by the skipped hour.
 * @param local such as "2026-12-09T08:00", as an input of the type `datetime-local` has it
 * @returns undefined for another text
 */
export function instantOf(local: string, zone: string): Date | undefined {
  const asUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(local) ? Date.parse(`${local}Z`) : NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const candidates = [offsetMs(asUtc - dayMs, zone), offsetMs(asUtc + dayMs, zone)]
    .map((offset) => asUtc - offset)
    .sort((left, right) => left - right);
  const exact = candidates.find((candidate) => candidate + offsetMs(candidate, zone) === asUtc);
  return new Date(exact ?? asUtc - offsetMs(asUtc - dayMs, zone));
}

/** The time that the clocks of a zone show at an instant, for an input of the type `datetime-local`. */
export function localTimeOf(instant: Date, zone: string): string {
  return localSecondsOf(instant, zone).slice(0, 16);
}

/** As `localTimeOf`, with seconds: those of UTC differ where the clocks followed the sun. */
export function localSecondsOf(instant: Date, zone: string): string {
  return new Date(instant.getTime() + offsetMs(instant.getTime(), zone)).toISOString().slice(0, 19);
}

/** The first instant of a day of a zone. @param date such as "2026-12-09" @returns undefined for another text */
export function startOfDay(date: string, zone: string): string | undefined {
  return isDate(date) ? instantOf(`${date}T00:00`, zone)?.toISOString() : undefined;
}

/** The last millisecond of a day of a zone. @returns undefined for a text that is no date */
export function endOfDay(date: string, zone: string): string | undefined {
  if (!isDate(date)) return undefined;
  const next = new Date(Date.parse(`${date}T00:00Z`) + dayMs).toISOString().slice(0, 10);
  const start = instantOf(`${next}T00:00`, zone);
  return start && new Date(start.getTime() - 1).toISOString();
}

/** Whether a text is a day of the calendar. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The place that names a zone: "Tokyo" of "Asia/Tokyo". */
export function placeOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
