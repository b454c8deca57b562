import { instantOf, localSecondsOf, localTimeOf } from '../time/site-time.js';

/** Digits of a local time up to its minutes. */
const minuteLength = 16;

/** Whether a value is a time with seconds, which its input shows then. */
export function hasSeconds(value: unknown, zone: string): boolean {
  return writeDatetime(value, zone).length > minuteLength;
}

/** A stored time for an input of the type `datetime-local`; empty for anything else. */
export function writeDatetime(value: unknown, zone: string): string {
  const instant = timeOf(value);
  if (!instant) return '';
  const text = localSecondsOf(instant, zone);
  return text.endsWith(':00') ? text.slice(0, minuteLength) : text;
}

/**
 * The time to store for the text of an input.
 * @param former the value until now: the same time on the clock leaves it as it is, with its milliseconds
 * @returns null for an empty text; undefined for one that is no time
 */
export function readDatetime(local: string, zone: string, former: unknown): unknown {
  if (local === '') return null;
  if (withoutZeroSeconds(local) === writeDatetime(former, zone)) return former;
  return instantOf(local, zone)?.toISOString();
}

/** Whether the text of an input means a value, so that it stays as it was typed. */
export function isTextOf(local: string, zone: string, value: unknown): boolean {
  return readDatetime(local, zone, value) === value;
}

/** The time that counts for one that the clocks of the zone skip. @returns undefined for any other */
export function timeInsteadOf(local: string, zone: string): Date | undefined {
  const instant = instantOf(local, zone);
  const isSkipped = instant && localTimeOf(instant, zone) !== local.slice(0, minuteLength);
  return isSkipped ? instant : undefined;
}

function timeOf(value: unknown): Date | undefined {
  const instant = typeof value === 'string' ? new Date(value) : undefined;
  return instant && !Number.isNaN(instant.getTime()) ? instant : undefined;
}

/** Browsers leave out seconds of zero, and milliseconds, or write them. */
const withoutZeroSeconds = (local: string) => local.replace(/(?<=T\d{2}:\d{2}):00(?:\.0+)?$/, '');
