import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { MediaClient } from '../../clients/index.js';
import * as operations from './settings.controller.js';
import { clearingEmptyTexts, getSettings, updateSettings } from './settings.operations.js';
import { updateSettingsBody } from './settings.schemas.js';

const { shape: body } = updateSettingsBody;
const { shape: social } = body.social.unwrap().unwrap();
const { shape: seo } = body.seo.unwrap().unwrap();

/** A setting of which null is not offered, for a short schema: "" clears it. */
const withoutNull = <Setting extends z.ZodType>(setting: z.ZodOptional<z.ZodNullable<Setting>>) =>
  setting.unwrap().unwrap().optional();

const get = declareTool(operations.get, {
  name: 'settings_get',
  title: 'Get Site Settings',
  description: 'Returns the settings of the site: title, tagline, logo, URL, locale formats, social and SEO.',
  annotations: { readOnlyHint: true },
  input: z.object({}),
});

const update = declareTool(operations.update, {
  name: 'settings_update',
  title: 'Update Site Settings',
  description:
    'Changes settings of the site; omitted ones keep their values, also inside social and seo. "" clears a text and null removes an image. Returns all settings.',
  input: z.object({
    title: withoutNull(body.title).describe('Name of the site'),
    tagline: withoutNull(body.tagline).describe('One sentence below the name'),
    logo: body.logo.describe('Image, its mediaId from media_list'),
    favicon: body.favicon.describe('Icon, its mediaId from media_list'),
    url: withoutNull(body.url).describe('Public http or https URL'),
    postsPerPage: withoutNull(body.postsPerPage).describe('Entries a page of the site'),
    dateFormat: withoutNull(body.dateFormat).describe('Pattern of dates, such as D MMMM YYYY'),
    timezone: z
      .string()
      .max(100)
      // The setting itself has no empty name.
      .transform((name): string | null | undefined => name || null)
      .pipe(body.timezone)
      .optional()
      .describe('IANA name, such as Europe/Berlin'),
    social: z
      .object({
        twitter: withoutNull(social.twitter),
        github: withoutNull(social.github),
        facebook: withoutNull(social.facebook),
        instagram: withoutNull(social.instagram),
        linkedin: withoutNull(social.linkedin),
        youtube: withoutNull(social.youtube),
      })
      .optional()
      .describe('Profiles: names or http(s) URLs'),
    seo: z
      .object({
        titleSeparator: withoutNull(seo.titleSeparator),
        defaultOgImage: seo.defaultOgImage,
        robotsTxt: withoutNull(seo.robotsTxt),
        googleVerification: withoutNull(seo.googleVerification),
        bingVerification: withoutNull(seo.bingVerification),
      })
      .optional()
      .describe('Values for search engines; defaultOgImage is the image of shared links'),
  }),
});

/** Tools of the site settings (spec document 2; contract 11). */
@Injectable()
export class SettingsTools {
  constructor(private readonly media: MediaClient) {}

  @Tool(get)
  get(ctx: Context) {
    return getSettings(ctx, this.media);
  }

  @Tool(update)
  update(ctx: Context, input: ToolInputOf<typeof update>) {
    return updateSettings(ctx, this.media, clearingEmptyTexts(input));
  }
}
