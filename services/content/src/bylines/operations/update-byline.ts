import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { BylineSummary } from '../../credits/index.js';
import type { UserDirectory } from '../../users/index.js';
import { holdFields } from '../byline-fields.repository.js';
import { Byline } from '../byline.entity.js';
import { holdByline, loadByline, namedBylineConflict, type HeldByline } from '../bylines.repository.js';
import type { BylineUpdate, CustomFieldsInput } from '../bylines.schemas.js';
import { writtenValues, type PlacedValues } from '../custom-fields.policy.js';
import { writeShared } from '../insert-byline.js';
import { checkedLink } from '../linked-user.js';

/**
 * Changes what is sent of a byline; null clears (contract 35). Values of fields that are not translatable change in all its
 * locales.
 * @throws QuireError NOT_FOUND, CONFLICT (the slug in this locale), VALIDATION_ERROR (user, custom fields).
 */
export async function updateByline(
  ctx: Context,
  users: UserDirectory,
  id: string,
  update: BylineUpdate,
): Promise<BylineSummary> {
  const link = await checkedLink(ctx, users, update);
  const { customFields: sent, ...columns } = update;
  try {
    return await ctx.db.transaction(async (tx) => {
      const fields = sent === undefined ? [] : await holdFields(tx, 'FOR SHARE');
      const held = await holdByline(tx, id, 'FOR NO KEY UPDATE');
      const values = placed(fields, held, sent);
      if (values) await writeShared(tx, held.translationGroup, values.shared);
      await writeOwn(tx, id, { ...columns, ...link, ...(values && { customFields: values.own }) });
      return loadByline(tx, id);
    });
  } catch (error) {
    throw namedBylineConflict(error);
  }
}

function placed(
  fields: Parameters<typeof writtenValues>[0],
  { customFields: own, sharedFields: shared }: HeldByline,
  sent: CustomFieldsInput | undefined,
): PlacedValues | undefined {
  return sent && writtenValues(fields, { own, shared }, sent, 'update');
}

async function writeOwn(
  tx: Transaction,
  id: string,
  columns: Omit<BylineUpdate, 'customFields'> & Partial<Pick<Byline, 'customFields'>>,
): Promise<void> {
  const sent = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  await tx.repository(Byline).update({ id }, { ...sent, updatedAt: () => 'now()' });
}
