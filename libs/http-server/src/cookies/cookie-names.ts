import { parseCookie } from 'cookie';

/**
 * Browsers accept a cookie of this name only with `Secure`, `Path=/` and without `Domain`: no other host can set it.
 */
export const hostPrefix = '__Host-';

/** The values of all cookies of a name in a Cookie header, in its order. */
export function valuesOf(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => parseCookie(pair)[name] ?? []);
}
