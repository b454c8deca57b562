import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { selectRedirect } from '../redirects.repository.js';
import type { RedirectResponse } from '../redirects.schemas.js';

/** One rule, its hits as of the last seconds. @throws QuireError NOT_FOUND. */
export async function getRedirect(ctx: Context, id: string): Promise<RedirectResponse> {
  const redirect = await selectRedirect(ctx.db, id);
  if (!redirect) throw notFound('redirect');
  return redirect;
}
