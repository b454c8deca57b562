import { contentApi } from '@quire/internal-api';
import { storableText } from '@quire/operation';
import { isAllowedSeedUrl, isHttpUrl } from '@quire/values';
import { z } from 'zod';
import { timezoneNamed } from './timezone.js';

const text = (maxLength: number) => storableText(z.string().max(maxLength));

const mediaInput = z
  .object({ mediaId: storableText(z.string().min(1).max(64)), alt: text(1_000).optional() })
  .nullish();

const publicUrl = text(2_048)
  .refine((value) => value === '' || isHttpUrl(value), 'must be an http or https URL, or empty')
  .nullish();

const timezone = z
  .string()
  .max(100)
  .transform((name, context) => {
    const known = timezoneNamed(name);
    if (known !== null) return known;
    context.addIssue({ code: 'custom', message: 'must be an IANA timezone such as "Europe/Berlin"' });
    return z.NEVER;
  })
  .nullish();

/** A name on the network, or the address of a profile; pages link to it. */
const profile = text(500)
  .refine((value) => value === '' || isAllowedSeedUrl(value), 'must be a name or an http or https URL')
  .nullish();

/** Every key is optional; null clears it (contract 21). */
export const updateSettingsBody = z.object({
  title: text(contentApi.maxTitleLength).nullish(),
  tagline: text(contentApi.maxTaglineLength).nullish(),
  logo: mediaInput,
  favicon: mediaInput,
  url: publicUrl,
  postsPerPage: z.number().int().min(1).max(100).nullish(),
  dateFormat: text(100).nullish(),
  timezone,
  publicRedirects: z.boolean().nullish(),
  social: z
    .object({
      twitter: profile,
      github: profile,
      facebook: profile,
      instagram: profile,
      linkedin: profile,
      youtube: profile,
    })
    .nullish(),
  seo: z
    .object({
      titleSeparator: text(10).nullish(),
      defaultOgImage: mediaInput,
      robotsTxt: text(5_000).nullish(),
      googleVerification: text(100).nullish(),
      bingVerification: text(100).nullish(),
    })
    .nullish(),
});

export type SettingsUpdate = z.output<typeof updateSettingsBody>;

const mediaReference = z
  .object({
    mediaId: z.string(),
    alt: z.string().optional(),
    url: z.string().optional(),
    contentType: z.string().optional(),
    width: z.number().int().optional(),
    height: z.number().int().optional(),
  })
  .meta({ id: 'MediaReference' });

const shown = z.string().optional();

/** The settings of the site; a key without a value is absent (contract 6). */
export const settingsSchema = z
  .object({
    title: shown,
    tagline: shown,
    logo: mediaReference.optional(),
    favicon: mediaReference.optional(),
    url: shown,
    postsPerPage: z.number().int().optional(),
    dateFormat: shown,
    timezone: shown,
    /** Whether `redirects/resolve` accepts callers without a credential (decision 28). */
    publicRedirects: z.boolean().optional(),
    social: z
      .object({
        twitter: shown,
        github: shown,
        facebook: shown,
        instagram: shown,
        linkedin: shown,
        youtube: shown,
      })
      .optional(),
    seo: z
      .object({
        titleSeparator: shown,
        defaultOgImage: mediaReference.optional(),
        robotsTxt: shown,
        googleVerification: shown,
        bingVerification: shown,
      })
      .optional(),
  })
  .meta({ id: 'SiteSettings' });

export type SiteSettings = z.output<typeof settingsSchema>;

const { social, seo, ...single } = settingsSchema.shape;

/** The keys under which settings are stored: `title`, `seo.robotsTxt`. */
export const settingKeys: readonly string[] = [
  ...Object.keys(single),
  ...Object.keys(social.unwrap().shape).map((key) => `social.${key}`),
  ...Object.keys(seo.unwrap().shape).map((key) => `seo.${key}`),
];

/** The keys of the settings that select a media item (document 1, Media 3). */
export const mediaSettingKeys = ['logo', 'favicon', 'seo.defaultOgImage'] as const;
