import type { Context } from '@quire/context';
import { acceptsSignups, hasEnabledDomain } from '../../users/allowed-domains/index.js';
import type { LoginProviders } from '../external-providers/index.js';
import type { SignInMode } from '../sign-in-mode.js';

/** The sign-in methods of a site. */
export interface AuthMode {
  authMode: SignInMode['type'];
  /** Whether visitors with an address of an allowed domain may sign up. */
  signupEnabled: boolean;
  /** Configured login providers, in the order of the login page. */
  providers: { id: string; label: string }[];
}

/** @returns the sign-in methods of the site; any caller may read them (contract 30). */
export async function getAuthMode(
  ctx: Context,
  { type, isExternal }: SignInMode,
  providers: LoginProviders,
): Promise<AuthMode> {
  return {
    authMode: type,
    signupEnabled: !isExternal && acceptsSignups(ctx) && (await hasEnabledDomain(ctx.db)),
    providers: providers.offered(ctx).map(({ id, label }) => ({ id, label })),
  };
}
