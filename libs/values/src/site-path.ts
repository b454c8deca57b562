import { isStorableText } from './text.js';

const controlCharacter = /\p{Cc}/u;
const percentEscapes = /%[0-9a-f]{2}/gi;

/**
 * The fault of a text as a path of the site, with or without a query (contract 23): a path starts with exactly one
 * slash, also when decoded and with backslashes read as slashes, has no dot segments, and no control characters.
 * @returns the fault, or null
 */
export function sitePathProblem(text: string): string | null {
  if (!text.startsWith('/')) return 'must start with a slash';
  if (!isStorableText(text) || controlCharacter.test(text)) return 'must not contain control characters';
  const path = text.split(/[?#]/, 1)[0] ?? '';
  if (path.includes('\\')) return 'must not contain backslashes';
  const decoded = path.replace(percentEscapes, (escape) =>
    String.fromCharCode(parseInt(escape.slice(1), 16)),
  );
  if (/^[/\\]{2}/.test(decoded)) return 'must start with one slash';
  if (/[\r\n]/.test(decoded)) return 'must not contain line breaks';
  if (decoded.split(/[/\\]/).includes('..')) return 'must not contain ".." segments';
  return null;
}
