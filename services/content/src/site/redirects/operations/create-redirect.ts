import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { ulid } from 'ulid';
import { isInLoop } from '../loops.js';
import { insertRedirect, withRuleLock } from '../redirects.repository.js';
import type { RedirectResponse, RedirectInput } from '../redirects.schemas.js';
import { planRule } from '../rules.js';

/**
 * Makes a redirect rule (contract 23).
 * @throws QuireError VALIDATION_ERROR for a rule that makes no sense or never ends, CONFLICT when the source has one.
 */
export async function createRedirect(ctx: Context, input: RedirectInput): Promise<RedirectResponse> {
  const { enabled, groupName } = input;
  const row = { id: ulid(), ...planRule(input), enabled, groupName };
  return withRuleLock({ db: ctx.db, tenantId: ctx.principal.tenant.id }, async (tx) => {
    const stored = await insertRedirect(tx, row);
    if (enabled && (await isInLoop(tx, row))) throw redirectLoopError();
    await audit(ctx, tx, { action: 'redirect.created', target: { type: 'redirect', id: stored.id } });
    return stored;
  });
}

export function redirectLoopError() {
  return invalidInput([
    { path: 'destination', message: 'creates a redirect loop, directly or through other redirects' },
  ]);
}
