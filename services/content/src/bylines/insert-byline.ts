import type { Transaction } from '@quire/database';
import { ulid } from 'ulid';
import type { BylineSummary } from './credits/index.js';
import { BylineGroup, type CustomValues } from './byline-group.entity.js';
import { Byline } from './byline.entity.js';
import { selectByline } from './bylines.repository.js';
import type { CustomFieldValues } from './custom-fields.policy.js';

export interface NewByline {
  slug: string;
  displayName: string;
  bio: string | null;
  avatarMediaId: string | null;
  websiteUrl: string | null;
  userId: string | null;
  isGuest: boolean;
  locale: string;
}

/** Stores a byline in a group that is locked, or without one in a group of its own. */
export async function insertByline(
  tx: Transaction,
  byline: NewByline,
  { own, shared }: CustomFieldValues,
  group?: string,
): Promise<BylineSummary> {
  const id = ulid();
  const translationGroup = group ?? id;
  if (group === undefined)
    await tx.repository(BylineGroup).insert({ id: translationGroup, customFields: shared });
  else await updateSharedFields(tx, group, shared);
  await tx.repository(Byline).insert({ ...byline, id, translationGroup, customFields: own });
  return selectByline(tx, id);
}

/** Writes what the locales of a byline share. */
export async function updateSharedFields(
  tx: Transaction,
  group: string,
  customFields: CustomValues,
): Promise<void> {
  await tx.repository(BylineGroup).update({ id: group }, { customFields });
}
