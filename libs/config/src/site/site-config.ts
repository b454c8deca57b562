import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ConfigurationError } from '../env/load-environment.js';

const localeCode = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'is not a locale code such as "en" or "pt-BR"');

const role = z.union([z.literal(10), z.literal(20), z.literal(30), z.literal(40), z.literal(50)], {
  error: 'must be a role level: 10, 20, 30, 40 or 50',
});

/** Sign-in by an edge access proxy in front of `/_cms/*` (spec document 1, Edge access mode). */
const edgeAccessSchema = z.strictObject({
  type: z.literal('edge-access'),
  /** Domain of the access team; its keys are published there. */
  teamDomain: z.string().min(1),
  /** Tag of the application that assertions must be made for. */
  audience: z.string().min(1).optional(),
  /** Environment variable that holds the audience when it is not given here. */
  audienceEnvVar: z.string().min(1).default('EDGE_ACCESS_AUDIENCE'),
  /** Whether a person who is new here becomes a user. */
  autoProvision: z.boolean().default(true),
  /** Role of those who are in no mapped group. */
  defaultRole: role.default(30),
  /** Whether groups decide the role at every sign-in, or only at the first. */
  syncRoles: z.boolean().default(false),
  /** Role levels by group; the first group that somebody is in counts. */
  roleMapping: z.record(z.string(), role).optional(),
});

export type EdgeAccessOptions = z.output<typeof edgeAccessSchema>;
export type EdgeAccessInput = Omit<z.input<typeof edgeAccessSchema>, 'type'>;

/** For the `auth` option of cms.config.mjs: an edge access proxy signs people in. */
export function edgeAccess(options: EdgeAccessInput): z.input<typeof edgeAccessSchema> {
  return { type: 'edge-access', ...options };
}

const siteConfigSchema = z.strictObject({
  /** How people sign in, when not by the built-in methods. */
  auth: edgeAccessSchema.optional(),
  /** Locales of the site in the spelling that is stored. Absent: any well-formed code is taken (decision 1). */
  locales: z.array(localeCode).min(1).optional(),
  defaultLocale: localeCode.default('en'),
  trustedProxyHeaders: z.array(z.string().min(1).toLowerCase()).optional(),
});

export type SiteConfig = z.output<typeof siteConfigSchema>;
export type SiteConfigInput = z.input<typeof siteConfigSchema>;

/** Gives editors type hints in cms.config.mjs; a plain object works as well. */
export function defineConfig(config: SiteConfigInput): SiteConfigInput {
  return config;
}

/**
 * Checks the options that a site's configuration file exports (design 11).
 * @throws ConfigurationError with one line for each mistake.
 */
export function checkSiteConfig(input: unknown, file: string): SiteConfig {
  const parsed = siteConfigSchema.safeParse(input);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `${file}: ${issue.path.join('.') || 'options'}: ${issue.message}`,
    );
    throw new ConfigurationError(lines.join('\n'));
  }
  const { locales, defaultLocale } = parsed.data;
  if (!locales) return parsed.data;
  const stored = locales.find((code) => code.toLowerCase() === defaultLocale.toLowerCase());
  if (stored === undefined) {
    throw new ConfigurationError(`${file}: defaultLocale: "${defaultLocale}" is not one of locales`);
  }
  return { ...parsed.data, defaultLocale: stored };
}

/**
 * Loads cms.config.mjs, or the file that CMS_CONFIG names; without either, the defaults hold.
 * @throws ConfigurationError when the named file is missing, does not load, or holds a mistake.
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
