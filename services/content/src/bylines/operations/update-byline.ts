import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { BylineSummary } from '../credits/index.js';
import type { AuthClient } from '../../clients/index.js';
import { lockBylineFields } from '../byline-fields.repository.js';
import { Byline } from '../byline.entity.js';
import { lockByline, selectByline, toBylineConflictError, type LockedByline } from '../bylines.repository.js';
import type { BylineUpdate, CustomFieldsInput } from '../bylines.schemas.js';
import { validateCustomValues, type CustomFieldValues } from '../custom-fields.policy.js';
import { updateSharedFields } from '../insert-byline.js';
import { validateUserLink } from '../user-link.js';

/**
 * Changes what is sent of a byline; null clears (contract 35). Values of fields that are not translatable change in all
 * its locales.
 * @throws QuireError NOT_FOUND, CONFLICT (the slug in this locale), VALIDATION_ERROR (user, custom fields).
 */
export async function updateByline(
  ctx: Context,
  users: AuthClient,
  id: string,
  update: BylineUpdate,
): Promise<BylineSummary> {
  const link = await validateUserLink(ctx, users, update);
  const { customFields: sent, ...columns } = update;
  try {
    return await ctx.db.transaction(async (tx) => {
      const fields = sent === undefined ? [] : await lockBylineFields(tx, 'FOR SHARE');
      const locked = await lockByline(tx, id, 'FOR NO KEY UPDATE');
      const values = mergedCustomValues(fields, locked, sent);
      if (values) await updateSharedFields(tx, locked.translationGroup, values.shared);
      await updateBylineRow(tx, id, { ...columns, ...link, ...(values && { customFields: values.own }) });
      return selectByline(tx, id);
    });
  } catch (error) {
    throw toBylineConflictError(error);
  }
}

function mergedCustomValues(
  fields: Parameters<typeof validateCustomValues>[0],
  { customFields: own, sharedFields: shared }: LockedByline,
  sent: CustomFieldsInput | undefined,
): CustomFieldValues | undefined {
  return sent && validateCustomValues(fields, { own, shared }, sent, 'update');
}

async function updateBylineRow(
  tx: Transaction,
  id: string,
  columns: Omit<BylineUpdate, 'customFields'> & Partial<Pick<Byline, 'customFields'>>,
): Promise<void> {
  const sent = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  await tx.repository(Byline).update({ id }, { ...sent, updatedAt: () => 'now()' });
}
