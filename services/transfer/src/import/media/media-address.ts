import { createHash } from 'node:crypto';
import { parseUrl } from '@quire/values';

const maxUrlLength = 8_192;

/** An address from which a file is requested. */
export interface MediaAddress {
  url: URL;
  host: string;
  /** SHA-256 of the address, in hexadecimal digits. */
  urlHash: string;
}

/**
 * Checks the address of an attachment as far as that is possible without its host. The guarded client checks where the
 * host leads.
 * @returns the address without its fragment, or the text of the failure (contract 1.5)
 */
export function parseMediaAddress(text: string): MediaAddress | { failure: string } {
  if (text.trim() === '') return { failure: 'No URL' };
  if (text.length > maxUrlLength)
    return { failure: `Blocked: the URL is longer than ${maxUrlLength} characters` };
  const url = parseUrl(text);
  if (!url) return { failure: 'Blocked: the URL is not valid' };
  const failure = blockedUrl(url);
  if (failure !== undefined) return { failure };
  url.hash = '';
  return { url, host: url.hostname, urlHash: createHash('sha256').update(url.href).digest('hex') };
}

/** @returns the text of the failure of a URL that is not requested, also of a redirect. */
export function blockedUrl({ protocol, username, password }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:')
    return 'Blocked: only http and https URLs are downloaded';
  if (username !== '' || password !== '') return 'Blocked: the URL contains a user name or a password';
  return undefined;
}

/** The name of a file: that of the attachment, else the last part of the path of its address. */
export function fileNameOf({ filename, url }: { filename: string | null; url: string }): string {
  if (filename !== null && filename !== '') return filename;
  const last = parseUrl(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
