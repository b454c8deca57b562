import { z } from 'zod';

const text = () => z.string();
const media = () => z.strictObject({ mediaId: z.string().min(1), alt: z.string().optional() });

/** The settings of a site by their keys, with the forms of their values. No setting has the value null. */
export const settingValues = {
  title: text(),
  tagline: text(),
  logo: media(),
  favicon: media(),
  url: text(),
  postsPerPage: z.number().int().min(1).max(100),
  dateFormat: text(),
  timezone: text(),
  publicRedirects: z.boolean(),
  'social.twitter': text(),
  'social.github': text(),
  'social.facebook': text(),
  'social.instagram': text(),
  'social.linkedin': text(),
  'social.youtube': text(),
  'seo.titleSeparator': text(),
  'seo.defaultOgImage': media(),
  'seo.robotsTxt': text(),
  'seo.googleVerification': text(),
  'seo.bingVerification': text(),
} as const satisfies Record<string, z.ZodType>;

export type SettingKey = keyof typeof settingValues;
