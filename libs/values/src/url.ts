/** Browsers strip these before parsing, which turns `/⇥/evil` into another site. */
const controlCharacter = /\p{Cc}/u;
const scheme = /^([a-z][a-z0-9+.-]*):/i;
/** A path or a scheme-less value is resolved against this, to detect whether it leaves the site. */
const anySite = 'https://site.invalid';

/**
 * Parses a URL. `URL.canParse` of Node 20 is not used: once the engine has optimised a caller, it takes valid addresses
 * with letters such as ü for invalid ones.
 * @param base of a relative URL
 * @returns undefined for a text that is not a URL
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * The url rule for writes through the API, MCP and the editor (document 3, `url` rules; sheet import-and-fields, 4.4):
 * an absolute http(s) URL, a mailto or tel link, a path on the same site, or a fragment.
 * @param value the submitted text, not trimmed
 */
export function isAllowedUrl(value: string): boolean {
  if (!isClean(value)) return false;
  if (value.startsWith('#')) return true;
  if (value.startsWith('/')) return staysOnSite(value);
  return isAllowedAbsolute(value);
}

/**
 * The url rule for seeds, plugin updates and imports: as above, and scheme-less values such as `www.example.com` are
 * valid unless they resolve to another site.
 */
export function isAllowedSeedUrl(value: string): boolean {
  return isAllowedUrl(value) || (isClean(value) && !scheme.test(value) && staysOnSite(value));
}

/** Whether a text is an absolute http or https URL. */
export function isHttpUrl(value: string): boolean {
  return isClean(value) && /^https?:/i.test(value) && isAllowedAbsolute(value);
}

function isClean(value: string): boolean {
  // Browsers read a backslash in front of the query as a slash.
  const address = value.split(/[?#]/u, 1)[0] ?? '';
  return value !== '' && value.trim() === value && !controlCharacter.test(value) && !address.includes('\\');
}

function isAllowedAbsolute(value: string): boolean {
  const name = scheme.exec(value)?.[1]?.toLowerCase();
  if (name === 'mailto' || name === 'tel') return value.length > name.length + 1;
  if (name !== 'http' && name !== 'https') return false;
  // The parser repairs `http:host` and `https:///host`; a link must be exact.
  return /^https?:\/\/[^/?#]/i.test(value) && (parseUrl(value)?.hostname ?? '') !== '';
}

function staysOnSite(value: string): boolean {
  return !value.startsWith('//') && parseUrl(value, anySite)?.origin === anySite;
}
