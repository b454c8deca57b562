import type { Context } from '@quire/context';

/** Whether the request has a session; a token does not sign in to pages. */
export function isSignedIn({ principal }: Context): boolean {
  return principal.kind === 'session';
}
