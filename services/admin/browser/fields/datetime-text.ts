import { instantOf, localTimeOf } from '../time/site-time.js';

/** Digits of a local time up to its minutes. */
const minuteLength = 16;

/** A stored time for an input of the type `datetime-local`; empty for anything else. */
export function writeDatetime(value: unknown, zone: string): string {
  const instant = typeof value === 'string' ? new Date(value) : undefined;
  if (!instant || Number.isNaN(instant.getTime())) return '';
  const seconds = instant.toISOString().slice(minuteLength + 1, minuteLength + 3);
  return seconds === '00' ? localTimeOf(instant, zone) : `${localTimeOf(instant, zone)}:${seconds}`;
}

/**
 * The time to store for the text of an input.
 * @param former the value until now: the same time on the clock leaves it as it is, with its milliseconds
 * @returns null for an empty text; undefined for one that is no time
 */
export function readDatetime(local: string, zone: string, former: unknown): unknown {
  if (local === '') return null;
  if (local === writeDatetime(former, zone)) return former;
  return instantOf(local, zone)?.toISOString();
}

/** Whether the clocks of the zone skip a time, so that another one is taken. */
export function isSkipped(local: string, zone: string): boolean {
  const instant = instantOf(local, zone);
  return instant !== undefined && localTimeOf(instant, zone) !== local.slice(0, minuteLength);
}
