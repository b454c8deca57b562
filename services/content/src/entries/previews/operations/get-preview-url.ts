import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { loadEntry, withDefinition, type EntryDeps, type EntryTarget } from '../../index.js';
import { previewLifetimeSeconds } from '../preview-duration.js';
import { selectPreviewGeneration } from '../preview-generation.repository.js';
import type { PreviewLinks } from '../preview-links.js';
import { isSitePath, previewPath, withParameter } from '../preview-path.js';

export interface PreviewRequest {
  /** Seconds, or a text such as "30m"; an hour unless it can be read. */
  expiresIn?: unknown;
  pathPattern?: string | undefined;
}

export interface PreviewUrl {
  /** On the site itself: begins with `/`. */
  url: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

/**
 * A link by which the site's front end shows an entry as it is edited, to whoever has it, for a while
 * (contract 9). It ends by its time, or with the site's key; who made it does not matter any more, since the
 * front end asks nobody.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, VALIDATION_ERROR for a pattern that leads away from the
 *   site.
 */
export async function getPreviewUrl(
  ctx: Context,
  { entries, links }: { entries: EntryDeps; links: PreviewLinks },
  target: EntryTarget,
  { expiresIn, pathPattern = links.defaultPattern }: PreviewRequest,
): Promise<PreviewUrl> {
  if (!isSitePath(pathPattern))
    throw invalidInput([
      { path: 'pathPattern', message: 'must be a path of the site, beginning with one /' },
    ]);
  const { id, slug, _locale } = await withDefinition(ctx, entries, target.collection, (definition) =>
    loadEntry(ctx.db, entries, definition, target, { rows: 'not-trashed' }),
  );
  const { collection } = target;
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + previewLifetimeSeconds(expiresIn, links.maxSeconds);
  await audit(ctx, ctx.db, {
    action: 'preview-link.created',
    target: { type: 'entry', id },
    details: { collection, expiresAt: new Date(exp * 1000).toISOString() },
  });
  const owner = { tenantId: ctx.principal.tenant.id, generation: await selectPreviewGeneration(ctx.db) };
  const token = links.token(owner, { cid: `${collection}:${id}`, exp, iat });
  const locale = _locale === entries.locales.default ? '' : _locale;
  const path = previewPath(pathPattern, { collection, id, slug, locale });
  return { url: withParameter(path, '_preview', token), expiresAt: exp };
}
