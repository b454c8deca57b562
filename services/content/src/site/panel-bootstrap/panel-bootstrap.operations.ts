import type { Context } from '@quire/context';
import { mediaApi } from '@quire/internal-api';
import { maxUploadBytesOf } from '@quire/tenancy';
import type { MediaClient } from '../../clients/index.js';
import type { SiteLocales } from '../../locales/index.js';
import { readSiteSchema } from '../../schema/index.js';
import { selectDefinitions } from '../../taxonomies/definitions/index.js';
import { getSettings } from '../settings/index.js';
import type { PanelBootstrap } from './panel-bootstrap.schemas.js';

/** The dependencies of the panel's bootstrap. */
export class PanelBootstrapDeps {
  /**
   * @param previewPattern path of an entry on the front end
   * @param version of the API
   * @param maxUploadBytes of the installation
   */
  constructor(
    readonly locales: SiteLocales,
    readonly media: MediaClient,
    readonly previewPattern: string,
    readonly version: string,
    readonly maxUploadBytes: number,
  ) {}
}

/**
 * @returns what the admin panel needs before its first screen. Authors may not read the schema and the settings by the
 *   public API, and need both to fill in a form. The logo has no address while the media service is unavailable.
 */
export async function getPanelBootstrap(
  ctx: Context,
  { locales, media, previewPattern, version, maxUploadBytes }: PanelBootstrapDeps,
): Promise<PanelBootstrap> {
  const [schema, taxonomies, settings] = await Promise.all([
    readSiteSchema(ctx),
    selectDefinitions(ctx.db, null),
    getSettings(ctx, media),
  ]);
  const { title, tagline, logo, url, dateFormat, timezone = 'UTC' } = settings;
  const { default: defaultLocale, configured } = locales.of(ctx);
  return {
    version,
    site: { title, tagline, logo, url, dateFormat, timezone },
    locales: { default: defaultLocale, configured: configured ? [...configured] : null },
    ...schema,
    taxonomies,
    uploads: {
      maxBytes: maxUploadBytesOf(ctx.principal.tenant, maxUploadBytes),
      mimeTypes: [...mediaApi.defaultAllowedTypes],
    },
    preview: { pattern: previewPattern, origin: httpsOriginOf(url) },
  };
}

function httpsOriginOf(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  const { protocol, origin } = new URL(url);
  return protocol === 'https:' ? origin : null;
}
