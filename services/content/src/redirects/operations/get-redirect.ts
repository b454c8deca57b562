import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { findRedirect } from '../redirects.repository.js';
import type { RedirectAnswer } from '../redirects.schemas.js';

/** One rule, its hits as of the last seconds. @throws QuireError NOT_FOUND. */
export async function getRedirect(ctx: Context, id: string): Promise<RedirectAnswer> {
  const redirect = await findRedirect(ctx.db, id);
  if (!redirect) throw notFound('redirect');
  return redirect;
}
