import { z } from 'zod';

const manifestField = z.object({
  /** The field's type. */
  kind: z.string(),
  label: z.string(),
  required: z.boolean(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
});

export const manifestSchema = z.object({
  version: z.string(),
  /** Of the schema: the same while collections, fields and taxonomies are the same. */
  hash: z.string(),
  collections: z.record(
    z.string(),
    z.object({
      label: z.string(),
      labelSingular: z.string(),
      supports: z.array(z.string()),
      routable: z.boolean(),
      fields: z.record(z.string(), manifestField),
    }),
  ),
  plugins: z.record(z.string(), z.unknown()),
  taxonomies: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      labelSingular: z.string().optional(),
      hierarchical: z.boolean(),
      collections: z.array(z.string()),
    }),
  ),
  authMode: z.string(),
  signupEnabled: z.boolean().optional(),
  i18n: z.object({ defaultLocale: z.string(), locales: z.array(z.string()) }).optional(),
  contentLocale: z.object({ defaultLocale: z.string(), implicit: z.boolean() }),
  admin: z
    .object({
      siteName: z.string().optional(),
      logo: z.string().optional(),
      favicon: z.string().optional(),
    })
    .optional(),
});

export type Manifest = z.output<typeof manifestSchema>;
