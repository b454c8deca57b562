import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { isInLoop } from '../loops.js';
import { selectRedirect, updateRedirectRow, withRuleLock } from '../redirects.repository.js';
import type { RedirectResponse, RedirectUpdate } from '../redirects.schemas.js';
import { planRule } from '../rules.js';
import { redirectLoopError } from './create-redirect.js';

/**
 * Changes what is sent of a rule; its hits and whether it is automatic stay. The rule is checked as a whole: a type
 * that leads somewhere needs a destination, sent or stored.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR, CONFLICT when another rule has the source.
 */
export async function updateRedirect(
  ctx: Context,
  id: string,
  update: RedirectUpdate,
): Promise<RedirectResponse> {
  return withRuleLock({ db: ctx.db, tenantId: ctx.principal.tenant.id }, async (tx) => {
    const current = await selectRedirect(tx, id);
    if (!current) throw notFound('redirect');
    const { source, destination, type, enabled } = current;
    const sent = sentOf(update);
    const wanted = { source, destination, type, enabled, groupName: current.groupName, ...sent };
    const row = { id, ...planRule(wanted), enabled: wanted.enabled, groupName: wanted.groupName };
    const stored = await updateRedirectRow(tx, row);
    if (!stored) throw notFound('redirect');
    const isRerouted = (['source', 'destination', 'type', 'enabled'] as const).some(
      (key) => stored[key] !== current[key],
    );
    if (isRerouted && row.enabled && (await isInLoop(tx, row))) throw redirectLoopError();
    await audit(ctx, tx, {
      action: 'redirect.updated',
      target: { type: 'redirect', id },
      details: { fields: Object.keys(sent) },
    });
    return stored;
  });
}

type Sent = { [Key in keyof RedirectUpdate]?: Exclude<RedirectUpdate[Key], undefined> };

function sentOf(update: RedirectUpdate): Sent {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
}
