import type { Context } from '@quire/context';
import { loginPath, pagePaths } from '@quire/ui';
import { needsSetup } from '../../registration/setup/index.js';

/**
 * Returns the path that a visitor without a session is redirected to: the setup of a site without users, else the
 * login (contract 4).
 * @param back the path to return to after the login
 */
export async function signInRedirect(ctx: Context, back: string): Promise<string> {
  return (await needsSetup(ctx)) ? pagePaths.setup : loginPath(back);
}
