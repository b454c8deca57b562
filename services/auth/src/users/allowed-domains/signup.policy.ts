import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';

/** Whether the settings of a site let visitors sign up; the allowed domains decide who may. */
export function acceptsSignups({ principal }: Pick<Context, 'principal'>): boolean {
  return principal.tenant.settings?.signIn?.signup !== false;
}

/** @throws QuireError DOMAIN_NOT_ALLOWED for a site that accepts no signups */
export function assertAcceptsSignups(ctx: Pick<Context, 'principal'>): void {
  if (!acceptsSignups(ctx)) throw new QuireError('DOMAIN_NOT_ALLOWED', 'This site accepts no signups');
}
