import { domainToASCII } from 'node:url';

const maxLength = 253;
/** At least two labels, and the last is not a number: excludes single words and IP addresses. */
const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that are not part of a name, which `domainToASCII` would interpret. */
const otherCharacters = /[^\p{L}\p{M}\p{N}.\-\u200c\u200d]/u;

/**
 * Normalises a domain name for comparison and storage: lower case, internationalised labels in ASCII (Punycode).
 * @returns undefined for an invalid name.
 */
export function normaliseDomain(input: string): string | undefined {
  const text = input.trim();
  if (otherCharacters.test(text)) return undefined;
  const domain = domainToASCII(text).toLowerCase();
  return domain.length <= maxLength && hostName.test(domain) ? domain : undefined;
}
