import { z } from 'zod';
import {
  blockTypeSchema,
  collectionSchema,
  fieldSchema,
  relationSchema,
  type SiteSchema,
} from '../../schema/index.js';
import { taxonomySchema } from '../../taxonomies/definitions/index.js';
import { settingsSchema } from '../settings/index.js';

const { title, tagline, logo, url, dateFormat } = settingsSchema.shape;

export const panelBootstrapSchema = z.object({
  /** Of the API. */
  version: z.string(),
  /** `timezone` is an IANA name, UTC while the site has none. */
  site: z.object({ title, tagline, logo, url, dateFormat, timezone: z.string() }),
  locales: z.object({
    default: z.string(),
    /** Null while any code is accepted. */
    configured: z.array(z.string()).nullable(),
  }),
  /** In the order of the panel, hidden ones too, with their fields in display order. */
  collections: z.array(collectionSchema.extend({ fields: z.array(fieldSchema) })),
  blockTypes: z.array(blockTypeSchema),
  /** A definition for each locale of each taxonomy. */
  taxonomies: z.array(taxonomySchema),
  relations: z.array(relationSchema.omit({ name: true, boundFields: true, linkCount: true })),
  uploads: z.object({
    maxBytes: z.number().int(),
    /** Those of fields without a rule; one that ends in "/" is a prefix. */
    mimeTypes: z.array(z.string()),
  }),
  preview: z.object({
    /** Path of an entry on the front end, with placeholders. */
    pattern: z.string(),
    /** Of the front end; null while the site has no https address. */
    origin: z.string().nullable(),
  }),
});

export type PanelBootstrap = Omit<z.output<typeof panelBootstrapSchema>, keyof SiteSchema> & SiteSchema;
