import { plainText } from './plain-text.js';

const untitled = 'Untitled';

/**
 * The title of an item as plain text (2.2). Emoji sequences, combining marks and right-to-left text stay.
 * @param raw the title as decoded from XML
 * @returns the title, `Untitled` if nothing is left; `isChanged` if references, tags or control characters were in it
 *   (warning TITLE_FIXED); an empty title does not count as changed
 */
export function cleanTitle(raw: string): { title: string; isChanged: boolean } {
  const title = plainText(raw);
  return { title: title === '' ? untitled : title, isChanged: title !== raw.trim() };
}
