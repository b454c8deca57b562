import { invalidInput } from '@quire/errors';
import { z } from 'zod';
import { isSameLocale, localeCode } from './locale-code.js';
import type { SiteConfig } from './site-config.js';

/** Settings travel with the internal token of each request, in a header: all together have less than 4 KiB. */
const maxLocales = 50;
const maxProviders = 20;
const controlCharacter = /\p{Cc}/u;

const mailFrom = z.strictObject({
  /** Shown beside the address. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((text) => !controlCharacter.test(text), 'must not contain control characters')
    .optional(),
  address: z.email().max(254),
});

const signIn = z.strictObject({
  /** Whether sign-in links are sent by mail. */
  magicLinks: z.boolean().optional(),
  /** Ids of the login providers, among those of the installation. */
  providers: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/i, 'is not the id of a login provider'))
    .max(maxProviders)
    .optional(),
  /** Whether visitors with an address of an allowed domain may sign up. */
  signup: z.boolean().optional(),
});

/** For documents; `checkSiteSettings` validates. */
export const siteSettingsSchema = z
  .strictObject({
    /** With `defaultLocale`, which is one of them. */
    locales: z.array(localeCode).min(1).max(maxLocales).optional(),
    defaultLocale: localeCode.optional(),
    /** Sender of mails. */
    mailFrom: mailFrom.optional(),
    signIn: signIn.optional(),
  })
  .superRefine(({ locales, defaultLocale }, context) => {
    if (!locales) return;
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (new Set(locales.map((code) => code.toLowerCase())).size < locales.length)
      issue('locales', 'has a locale twice');
    if (defaultLocale === undefined) issue('defaultLocale', 'is required beside locales');
    else if (!locales.some((code) => isSameLocale(code, defaultLocale)))
      issue('defaultLocale', `"${defaultLocale}" is not one of locales`);
  });

/** Settings of one site. An absent one is that of the installation. */
export type SiteSettings = z.output<typeof siteSettingsSchema>;

const positiveInteger = z.int().positive();

/** Limits of one site. An absent one does not limit the site. For documents; `checkSiteLimits` validates. */
export const siteLimitsSchema = z.strictObject({
  /** Entries outside the trash, in all collections and locales. */
  entries: positiveInteger.optional(),
  /** Bytes of all media files. */
  mediaBytes: positiveInteger.optional(),
  /** Bytes of one media file. The limit of the installation applies too. */
  uploadBytes: positiveInteger.optional(),
  /** Requests of all clients in a second. */
  requestsPerSecond: z.int().positive().max(1_000_000).optional(),
});

export type SiteLimits = z.output<typeof siteLimitsSchema>;

/** Name of the plan that the limits of a site come from: a label for operators. */
const planSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9 ._-]{0,59}$/i, 'must be letters, digits, spaces, ".", "_" and "-", 1 to 60');

/**
 * Validates settings of a site.
 * @param installation the configuration that they replace parts of
 * @param providerIds ids of the login providers of the installation
 * @throws QuireError VALIDATION_ERROR that names each invalid field
 */
export function checkSiteSettings(
  input: unknown,
  { installation, providerIds }: { installation: SiteConfig; providerIds: readonly string[] },
): SiteSettings {
  const settings = parsed(siteSettingsSchema, input, 'settings');
  const { locales = installation.locales, defaultLocale, signIn: methods } = settings;
  const invalid = (path: string, message: string) => invalidInput([{ path: `settings.${path}`, message }]);
  if (methods && installation.auth)
    throw invalid('signIn', 'cannot be set: the proxy of the installation signs users in');
  const unknown = methods?.providers?.find((id) => !providerIds.includes(id));
  if (unknown !== undefined)
    throw invalid(
      'signIn.providers',
      `"${unknown}" is not one of the installation: ${providerIds.join(', ') || 'it has none'}`,
    );
  if (defaultLocale === undefined) return settings;
  const stored = locales ? locales.find((code) => isSameLocale(code, defaultLocale)) : defaultLocale;
  if (stored === undefined)
    throw invalid('defaultLocale', `must be one of the locales of the installation: ${locales?.join(', ')}`);
  return { ...settings, defaultLocale: stored };
}

/**
 * Validates limits of a site.
 * @param maxUploadBytes of the installation
 * @throws QuireError VALIDATION_ERROR that names each invalid field
 */
export function checkSiteLimits(input: unknown, { maxUploadBytes }: { maxUploadBytes: number }): SiteLimits {
  const limits = parsed(siteLimitsSchema, input, 'limits');
  if ((limits.uploadBytes ?? 0) > maxUploadBytes) {
    const message = `must be at most ${maxUploadBytes}, the limit of the installation`;
    throw invalidInput([{ path: 'limits.uploadBytes', message }]);
  }
  return limits;
}

/** Validates the name of a plan. @throws QuireError VALIDATION_ERROR */
export function checkPlan(input: unknown): string {
  return parsed(planSchema, input, 'plan');
}

function parsed<Output>(schema: z.ZodType<Output>, input: unknown, name: string): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidInput(
    result.error.issues.map(({ path, message }) => ({ path: [name, ...path].join('.'), message })),
  );
}
