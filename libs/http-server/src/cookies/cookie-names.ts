import { parseCookie } from 'cookie';

/**
 * A cookie of this name is taken by browsers only with `Secure`, `Path=/` and without `Domain`: no other host
 * can set it.
 */
export const hostPrefix = '__Host-';

/** The values of all cookies of a name that a Cookie header carries, in its order. */
export function valuesOf(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => parseCookie(pair)[name] ?? []);
}
