import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ConfigurationError } from '../env/configuration-error.js';
import { authProviders, assertSingleAuthMethod } from './auth-providers.js';
import { edgeAccessSchema } from './edge-access.js';
import { importSchema } from './import-sources.js';
import { isSameLocale, localeCode } from './locale-code.js';

const adminRole = 50;

const siteConfigSchema = z.strictObject({
  /** Sign-in by an edge access proxy instead of the built-in methods. */
  auth: edgeAccessSchema.optional(),
  /** Whether the default role of new users may be 50: the `defaultRole` of `auth`, and of allowed domains. */
  allowAdminDefaultRole: z.boolean().optional(),
  /** Locales of the site in their stored spelling. Absent: any well-formed code is accepted (decision 1). */
  locales: z.array(localeCode).min(1).optional(),
  defaultLocale: localeCode.default('en'),
  trustedProxyHeaders: z.array(z.string().min(1).toLowerCase()).optional(),
  /** Absent: the built-in providers with credentials in the environment. */
  authProviders: authProviders.optional(),
  /** Absent: the built-in import sources. */
  import: importSchema.optional(),
});

export type SiteConfig = z.output<typeof siteConfigSchema>;
export type SiteConfigInput = z.input<typeof siteConfigSchema>;

/** Returns its argument. Its type gives code editors hints in cms.config.mjs. */
export function defineConfig(config: SiteConfigInput): SiteConfigInput {
  return config;
}

/**
 * Validates the options of a site's configuration file (design 11).
 * @throws ConfigurationError with one line for each invalid option
 */
export function checkSiteConfig(input: unknown, file: string): SiteConfig {
  assertSingleAuthMethod(input, file);
  const parsed = siteConfigSchema.safeParse(input);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `${file}: ${issue.path.join('.') || 'options'}: ${issue.message}`,
    );
    throw new ConfigurationError(lines.join('\n'));
  }
  const { auth, allowAdminDefaultRole, locales, defaultLocale } = parsed.data;
  if (auth?.defaultRole === adminRole && !allowAdminDefaultRole) {
    throw new ConfigurationError(
      `${file}: auth.defaultRole: makes everybody an administrator whom the proxy lets in: choose 40 at most, or set allowAdminDefaultRole: true`,
    );
  }
  if (!locales) return parsed.data;
  const stored = locales.find((code) => isSameLocale(code, defaultLocale));
  if (stored === undefined) {
    throw new ConfigurationError(`${file}: defaultLocale: "${defaultLocale}" is not one of locales`);
  }
  return { ...parsed.data, defaultLocale: stored };
}

/**
 * Loads cms.config.mjs, or the file of CMS_CONFIG. Without either the defaults apply.
 * @throws ConfigurationError when the file of CMS_CONFIG is missing, or a file cannot be loaded or is invalid
 */
export async function loadSiteConfig(named: string | undefined, folder = process.cwd()): Promise<SiteConfig> {
  const file = resolve(folder, named ?? 'cms.config.mjs');
  if (!existsSync(file)) {
    if (named) throw new ConfigurationError(`CMS_CONFIG: there is no file ${named}`);
    return checkSiteConfig({}, 'cms.config.mjs');
  }
  let loaded: { default?: unknown };
  try {
    loaded = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    throw new ConfigurationError(
      `${file}: does not load: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return checkSiteConfig(loaded.default ?? {}, file);
}
