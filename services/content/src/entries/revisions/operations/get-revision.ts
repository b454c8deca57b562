import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { selectRevision, type Revision } from '../revisions.repository.js';

/** One revision. @throws QuireError NOT_FOUND. */
export async function getRevision(ctx: Context, id: string): Promise<Revision> {
  const revision = await selectRevision(ctx.db, id);
  if (!revision) throw notFound('revision');
  return revision;
}
