import type { Context } from '@quire/context';
import { hasEnabledDomain } from '../../../users/allowed-domains/index.js';
import type { LoginProviders } from '../../external-providers/index.js';
import type { SignInMode } from '../../sign-in-mode.js';

/** How one signs in to a site. */
export interface AuthMode {
  authMode: SignInMode['type'];
  /** Whether people of some domain may make an account of themselves. */
  signupEnabled: boolean;
  /** Login providers, in the order in which they are offered. */
  providers: { id: string; label: string }[];
}

/** How one signs in here, for anybody (contract 30). */
export async function getAuthMode(
  ctx: Context,
  { type, isExternal }: SignInMode,
  { offered }: LoginProviders,
): Promise<AuthMode> {
  return {
    authMode: type,
    signupEnabled: !isExternal && (await hasEnabledDomain(ctx.db)),
    providers: offered.map(({ id, label }) => ({ id, label })),
  };
}
