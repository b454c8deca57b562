import { createHash } from 'node:crypto';
import type { FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { AuthClient, MediaClient } from '../../clients/index.js';
import { isSameLocale, type Locales, type SiteLocales } from '../../locales/index.js';
import { listSchema, type CollectionWithFields } from '../../schema/index.js';
import { getSettings } from '../settings/index.js';
import { selectDefinitions } from '../../taxonomies/definitions/index.js';
import type { Manifest } from './manifest.schemas.js';

type ManifestCollection = Manifest['collections'][string];
type ManifestField = ManifestCollection['fields'][string];

/** The dependencies of the manifest. */
export class ManifestDeps {
  /** @param version of the API */
  constructor(
    readonly locales: SiteLocales,
    readonly users: AuthClient,
    readonly media: MediaClient,
    readonly version: string,
  ) {}
}

/**
 * @returns the manifest of a site for panels (contract 37): the schema, the sign-in mode, locales, and the name
 *   and pictures of the site. While the auth service is unavailable, the sign-in mode is the default and
 *   `signupEnabled` is missing.
 */
export async function getManifest(ctx: Context, deps: ManifestDeps): Promise<Manifest> {
  const { users, media, version } = deps;
  const locales = deps.locales.of(ctx);
  const [schema, taxonomies, mode, settings] = await Promise.all([
    listSchema(ctx),
    taxonomiesOf(ctx, locales),
    users.mode(ctx),
    getSettings(ctx, media),
  ]);
  const collections = Object.fromEntries(
    schema.map((entry) => [entry.collection.slug, toManifestCollection(entry)] as const),
  );
  const { title: siteName, logo, favicon } = settings;
  const admin = {
    ...(siteName !== undefined && { siteName }),
    ...(logo?.url !== undefined && { logo: logo.url }),
    ...(favicon?.url !== undefined && { favicon: favicon.url }),
  };
  return {
    version,
    hash: hashOf([collections, taxonomies]),
    collections,
    plugins: {},
    taxonomies,
    authMode: mode?.authMode ?? 'passkey',
    ...(mode && { signupEnabled: mode.signupEnabled }),
    ...(locales.configured && {
      i18n: { defaultLocale: locales.default, locales: [...locales.configured] },
    }),
    contentLocale: { defaultLocale: locales.default, implicit: locales.isImplicit },
    ...(Object.keys(admin).length > 0 && { admin }),
  };
}

function toManifestCollection({ collection, fields }: CollectionWithFields): ManifestCollection {
  const { label, labelSingular, supports, routable } = collection;
  return {
    label,
    labelSingular: labelSingular ?? label,
    supports,
    routable,
    fields: Object.fromEntries(fields.map((field) => [field.slug, toManifestField(field)] as const)),
  };
}

function toManifestField({ type: kind, label, required, validation }: FieldDefinition): ManifestField {
  const options = validation?.options?.map((value) => ({ value, label: value }));
  return { kind, label, required, ...(options && { options }) };
}

/** Each taxonomy in the default locale, else in the locale of the lowest code. */
async function taxonomiesOf(ctx: Context, locales: Locales): Promise<Manifest['taxonomies']> {
  const byName = new Map<string, Manifest['taxonomies'][number]>();
  // Definitions come by name, then by locale.
  for (const { name, label, labelSingular, hierarchical, collections, locale } of await selectDefinitions(
    ctx.db,
    null,
  )) {
    if (byName.has(name) && !isSameLocale(locale, locales.default)) continue;
    byName.set(name, { name, label, ...(labelSingular && { labelSingular }), hierarchical, collections });
  }
  return [...byName.values()];
}

const hashOf = (schema: unknown): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('base64url').slice(0, 22);
