import { storableText } from '@quire/operation';
import { z } from 'zod';

const maxPostTypes = 500;
const maxFields = 300;

const name = storableText(z.string().min(1).max(200));

/** Only types: the schema's own rules check the definition, so that one bad field is one error of its collection. */
const requiredField = z.object({
  slug: z.string().max(200),
  label: storableText(z.string().max(200)),
  type: z.string().max(63),
  required: z.boolean(),
  searchable: z.boolean().optional(),
});

/** As the analysis returns post types; other properties are ignored. */
export const prepareBody = z.object({
  postTypes: z
    .array(
      z.object({
        name,
        collection: name,
        enabled: z.boolean().default(true),
        fields: z.array(requiredField).max(maxFields).optional(),
      }),
    )
    .max(maxPostTypes),
});

export const preparedSchema = z.object({
  success: z.boolean(),
  collectionsCreated: z.array(z.string()),
  fieldsCreated: z.array(z.object({ collection: z.string(), field: z.string() })),
  errors: z.array(z.object({ collection: z.string(), error: z.string() })),
});

export type PrepareInput = z.output<typeof prepareBody>;
export type PostTypeInput = PrepareInput['postTypes'][number];
export type FieldInput = z.output<typeof requiredField>;
export type PreparedSchema = z.output<typeof preparedSchema>;
