import { findProviderMistakes, type LoginProvider } from '@quire/login-providers';
import { z } from 'zod';
import { ConfigurationError } from '../env/configuration-error.js';

/** Login providers in the order of the sign-in page. Descriptors are not changed. */
export const authProviders = z.custom<readonly LoginProvider[]>().superRefine((list, context) => {
  for (const { path, message } of findProviderMistakes(list))
    context.addIssue({ code: 'custom', path: path === '' ? [] : path.split('.'), message });
});

/**
 * An edge access proxy and login providers exclude each other (spec document 1, Login methods 6).
 * @throws ConfigurationError when both are configured.
 */
export function assertSingleAuthMethod(input: unknown, file: string): void {
  const { auth, authProviders: providers } = (input ?? {}) as { auth?: unknown; authProviders?: unknown };
  if (auth !== undefined && providers !== undefined)
    throw new ConfigurationError(`${file}: authProviders: cannot be used together with auth; remove one`);
}
