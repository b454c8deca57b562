import { domainToASCII } from 'node:url';

const maxLength = 253;
/** Two labels at least, the last one not a number: neither a bare word nor an IP address. */
const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What the conversion to ASCII would take for more than a name. */
const foreign = /[^\p{L}\p{M}\p{N}.\-\u200c\u200d]/u;

/**
 * The form in which domains are compared and stored: lower case, other scripts in their ASCII form, a plain host name.
 * @returns undefined for what is none.
 */
export function normaliseDomain(input: string): string | undefined {
  const text = input.trim();
  if (foreign.test(text)) return undefined;
  const domain = domainToASCII(text).toLowerCase();
  return domain.length <= maxLength && hostName.test(domain) ? domain : undefined;
}
