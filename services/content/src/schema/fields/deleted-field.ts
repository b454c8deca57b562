import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { beginDeletion, continueDeletion, isBeingDeleted } from '../../deletions/index.js';
import { deleteFieldData } from './field-data.repository.js';

/** A field by the slugs of its collection and of itself. */
export interface FieldSlugs {
  collection: string;
  field: string;
}

/** A request that creates a field finishes the deletion of the former one for so long. */
const timeBudgetMs = 10_000;

const deletionOf = ({ collection, field }: FieldSlugs) =>
  ({ kind: 'field', id: `${collection}.${field}` }) as const;

/** Deletes the data of a deleted field from revisions. */
export async function beginFieldDeletion(tx: Queryable, tenantId: string, slugs: FieldSlugs): Promise<void> {
  await beginDeletion(tx, tenantId, { ...deletionOf(slugs), ...slugs }, deleteFieldData);
}

/**
 * Finishes the deletion of a former field with the slug of a new one, whose values would be those of the former.
 * @throws QuireError SERVICE_UNAVAILABLE when it takes too long; a repetition continues.
 */
export async function finishFieldDeletion(ctx: Context, slugs: FieldSlugs): Promise<void> {
  const { db, principal } = ctx;
  const end = Date.now() + timeBudgetMs;
  const key = deletionOf(slugs);
  if (!(await isBeingDeleted(db, key))) return;
  while (await continueDeletion({ db, tenantId: principal.tenant.id }, key, deleteFieldData))
    if (Date.now() >= end) throw beingDeletedError(slugs);
}

/** @throws QuireError SERVICE_UNAVAILABLE while revisions may have values of a former field with this slug. */
export async function assertFieldIsDeleted(tx: Queryable, slugs: FieldSlugs): Promise<void> {
  if (await isBeingDeleted(tx, deletionOf(slugs))) throw beingDeletedError(slugs);
}

function beingDeletedError({ collection, field }: FieldSlugs): QuireError {
  const message = `The values of the former field '${field}' of '${collection}' are being deleted. Retry later.`;
  return new QuireError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5 });
}
