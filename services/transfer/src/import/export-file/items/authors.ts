import type { ExportAuthor } from '../reading/export-channel.js';
import { plainText } from './title.js';

/**
 * The name of a guest byline (2.5): the display name, else first and last name, else the login.
 * @param login what the item names as its creator
 * @param declared the author that the file declares with this login, if any
 */
export function authorName(login: string, declared?: ExportAuthor): string {
  if (declared === undefined) return login;
  const fullName = `${declared.firstName} ${declared.lastName}`;
  return plainText(declared.displayName) || plainText(fullName) || login;
}
