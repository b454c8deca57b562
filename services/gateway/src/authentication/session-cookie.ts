import { parseCookie } from 'cookie';

/** Name of the session cookie, as the OpenAPI document says (contract 4). */
export const sessionCookie = 'cms_session';

const maximumLength = 200;

/** The session id that a Cookie header carries. */
export function sessionIdOf(header: string | undefined): string | undefined {
  if (!header?.includes(sessionCookie)) return undefined;
  const id = parseCookie(header)[sessionCookie];
  return id !== undefined && id !== '' && id.length <= maximumLength ? id : undefined;
}
