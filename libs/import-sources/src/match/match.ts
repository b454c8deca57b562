import { isHttpUrl } from '@quire/values';
import { z } from 'zod';
import { sourceIdSchema } from '../source/source-id.js';
import { plainText } from './plain-text.js';

const maxTitleLength = 200;
const maxInstructionsLength = 1000;
const maxUrlLength = 2048;
const maxLocales = 200;

const line = (maxLength: number) => z.string().transform((text) => plainText(text, maxLength));
const httpUrl = z.string().max(maxUrlLength).refine(isHttpUrl, 'must be an http or https address');
const count = z.number().int().min(0);
const capability = z.boolean().default(false);

export const suggestedActionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('proceed') }),
  z.object({ type: z.literal('oauth'), url: httpUrl, provider: line(maxTitleLength) }),
  z.object({ type: z.literal('upload'), instructions: line(maxInstructionsLength) }),
]);

/**
 * What a source found at an address (sheet import-and-fields, 1.1). Texts of the site become one line of plain text; an
 * address of the site that is not an http or https one is left out.
 */
export const matchSchema = z.object({
  sourceId: sourceIdSchema,
  confidence: z.enum(['definite', 'likely', 'possible']),
  detected: z.object({
    platform: line(maxTitleLength),
    version: line(maxTitleLength).optional(),
    siteTitle: line(maxTitleLength).optional(),
    siteUrl: httpUrl.optional().catch(undefined),
  }),
  capabilities: z.object({
    publicContent: capability,
    privateContent: capability,
    customPostTypes: capability,
    allMeta: capability,
    mediaStream: capability,
  }),
  auth: z
    .object({
      type: z.enum(['oauth', 'token', 'password', 'none']),
      provider: line(maxTitleLength).optional(),
      oauthUrl: httpUrl.optional(),
      instructions: line(maxInstructionsLength).optional(),
    })
    .optional(),
  /** Numbers of published items; a number that the site does not give is left out. */
  preview: z.object({ posts: count.optional(), pages: count.optional(), media: count.optional() }).optional(),
  suggestedAction: suggestedActionSchema,
  i18n: z
    .object({
      plugin: line(maxTitleLength),
      defaultLocale: line(maxTitleLength),
      locales: z.array(line(maxTitleLength)).max(maxLocales),
    })
    .optional(),
});

/** A match as a source returns it: capabilities that it does not name are false. */
export type MatchInput = z.input<typeof matchSchema>;
/** A validated match. */
export type Match = z.output<typeof matchSchema>;
export type SuggestedAction = z.output<typeof suggestedActionSchema>;
