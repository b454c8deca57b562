import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { loadEntry, withDefinition, type EntryDeps, type EntryTarget } from '../../index.js';
import { previewLifetimeSeconds, type PreviewLinks } from '../preview-links.js';
import { isSitePath, previewPath, withParameter } from '../preview-path.js';
import { selectPreviewGeneration } from '../previews.repository.js';

export interface PreviewRequest extends EntryTarget {
  /** Seconds, or a text such as "30m"; an unreadable value means an hour. */
  expiresIn?: unknown;
  /** Path of the entry on the front end, with placeholders. */
  pathPattern?: string | undefined;
}

export interface PreviewUrl {
  /** A path on the site, beginning with `/`. */
  url: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

/**
 * Creates a link by which the site's front end shows an entry as its editors see it (contract 9). Anyone with the link
 * can use it until it expires or the site's key is rotated: the front end verifies it without a request.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, VALIDATION_ERROR (a pattern that leads away from the site).
 */
export async function getPreviewUrl(
  ctx: Context,
  { entries, links }: { entries: EntryDeps; links: PreviewLinks },
  { expiresIn, pathPattern = links.defaultPattern, ...target }: PreviewRequest,
): Promise<PreviewUrl> {
  if (!isSitePath(pathPattern))
    throw invalidInput([
      { path: 'pathPattern', message: 'must be a path of the site, beginning with one /' },
    ]);
  const { id, slug, _locale } = await withDefinition(ctx, entries, target.collection, (definition) =>
    loadEntry(ctx.db, entries.locales.of(ctx), definition, target, { rows: 'not-trashed' }),
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
  const locale = _locale === entries.locales.of(ctx).default ? '' : _locale;
  const path = previewPath(pathPattern, { collection, id, slug, locale });
  return { url: withParameter(path, '_preview', token), expiresAt: exp };
}
