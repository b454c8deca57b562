import { domainToASCII, domainToUnicode } from 'node:url';
import { QuireError } from '@quire/errors';

const maxLength = 254;
/** Words separated by dots; of ASCII, only characters that need no quotes (RFC 5321, 4.1.2; RFC 6531). */
const word = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const localPart = new RegExp(`^${word}(?:\\.${word})*$`, 'u');
const writtenDomain = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;
const domainName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/**
 * Normalises an e-mail address for comparison and storage: trimmed, lower case, non-ASCII letters unchanged (decision
 * 31). Equivalent spellings of a domain have one result, so that a mailbox has one address.
 * @throws QuireError VALIDATION_ERROR for an invalid address.
 */
export function normaliseEmail(input: string): string {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/su.exec(input.trim().normalize('NFC').toLowerCase()) ?? [];
  const host = writtenDomain.test(domain) ? domainToASCII(domain) : '';
  const email = `${local}@${domainToUnicode(host)}`;
  if (!localPart.test(local) || !domainName.test(host) || email.length > maxLength)
    throw new QuireError('VALIDATION_ERROR', 'email: is not an e-mail address');
  return email;
}
