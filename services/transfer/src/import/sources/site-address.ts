import { z } from 'zod';
import { parseUrl } from '@quire/values';

const maxLength = 2_048;
const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const apiRoot = /\/wp-json(?:\/.*)?$/i;

/**
 * The address of a site as users type it (sheet import-and-fields, 1.1). `https://` is put before a value without a
 * scheme; query, fragment, the path of the REST API and slashes at the end are cut.
 */
export const siteAddress = z
  .string()
  .max(maxLength)
  .transform((text, context) => {
    const address = normaliseSiteAddress(text);
    if (address !== undefined) return address;
    context.addIssue({ code: 'custom', message: 'must be the http or https address of a site' });
    return z.NEVER;
  });

/** @returns undefined for a value that is not the address of a site: other schemes, addresses with a password */
export function normaliseSiteAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const address = scheme.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = /\p{Cc}|[\s\\]/u.test(address) ? undefined : parseUrl(address);
  if (!url) return undefined;
  const { protocol, username, password, hostname, origin, pathname } = url;
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return undefined;
  if (hostname === '' || !(scheme.test(trimmed) || isCompleteName(hostname))) return undefined;
  const path = pathname.replace(/\/+$/, '').replace(apiRoot, '').replace(/\/+$/, '');
  return `${origin}${path}`;
}

/** Whether text without a scheme is meant as a name on the network: "blog" is not, "blog.example" and `[::1]` are. */
function isCompleteName(hostname: string): boolean {
  return hostname === 'localhost' || /[.:]/.test(hostname);
}
