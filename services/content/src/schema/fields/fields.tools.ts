import { Injectable } from '@nestjs/common';
import { subFieldTypes } from '@quire/content-model';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { SchemaChanges } from '../schema-change.js';
import { slugArgument } from '../slug-argument.js';
import * as operations from './fields.controller.js';
import { deleteField } from './fields.operations.js';
import { createFieldBody } from './fields.schemas.js';
import { createField } from './operations/create-field.js';
import { updateField } from './operations/update-field.js';

const { shape: field } = createFieldBody;
const collection = slugArgument('Slug of the collection');
const fieldSlug = slugArgument('Slug of the field, from schema_get_collection');
const targetOf = (id: string) => ({ type: 'field' as const, id });

const count = z.number().int();
const texts = z.array(z.string());
/** Only the names and types of rules, for clients: the content model checks them against the type of the field. */
const rules = z
  .looseObject({
    min: z.number(),
    max: z.number(),
    minLength: count,
    maxLength: count,
    pattern: z.string(),
    options: texts,
    allowedMimeTypes: texts,
    allowedTypes: texts,
    minItems: count,
    maxItems: count,
    subFields: z.array(
      z.looseObject({
        slug: z.string(),
        label: z.string(),
        type: z.enum(subFieldTypes),
        required: z.boolean().optional(),
        options: texts.optional(),
      }),
    ),
    targetCollection: z.string(),
    multiple: z.boolean(),
    relation: z.string(),
    relationSide: z.enum(['parent', 'child']),
  })
  .partial();
const rulesDescription =
  'Rules of the type: options of select and multiSelect; subFields of repeater; allowedTypes (block type slugs) of blocks; targetCollection, or relation, of reference';

const properties = {
  required: field.required.describe('Whether entries must have a value'),
  unique: field.unique.describe('Whether two entries cannot have the same value'),
  searchable: field.searchable.describe('Whether search reads it'),
  indexed: field.indexed.describe(
    'Allows sorting and filtering; not for text, json, multiSelect, portableText, image, file, repeater, blocks',
  ),
  translatable: field.translatable.describe('Whether each locale has its own value; true by default'),
  defaultValue: field.defaultValue.describe('Value of new entries'),
  widget: field.widget.describe('Custom widget of the editor'),
  options: field.options.describe('Settings of the widget, such as rows of text'),
  sortOrder: field.sortOrder.describe('Position in the editor'),
};

const create = declareTool(operations.create, {
  name: 'schema_create_field',
  title: 'Add Field to Collection',
  description:
    'Adds a field to a collection. Entries that exist get no value. Returns the field; schema_get_collection returns all of them.',
  input: z.object({
    collection,
    slug: slugArgument('Permanent key of the value in data: a-z, 0-9 and _'),
    label: field.label.describe('Name for editors'),
    type: field.type.describe('Type of the value'),
    ...properties,
    validation: rules.optional().describe(rulesDescription),
  }),
  target: ({ slug }) => targetOf(slug),
});

const update = declareTool(operations.update, {
  name: 'schema_update_field',
  title: 'Update Field',
  description:
    'Changes properties of a field; omitted ones keep their values. string, text and slug change into each other. A stricter rule is rejected while stored entries break it.',
  annotations: { destructiveHint: false },
  input: z.object({
    collection,
    fieldSlug,
    label: field.label.optional().describe('Name for editors'),
    type: field.type.optional().describe('Type of the value'),
    ...properties,
    validation: rules.nullish().describe('All rules; replaces the present ones, null removes them'),
  }),
  target: (input) => targetOf(input.fieldSlug),
});

const remove = declareTool(operations.remove, {
  name: 'schema_delete_field',
  title: 'Remove Field from Collection',
  description: 'Deletes a field with its values in all entries, drafts and revisions. This cannot be undone.',
  annotations: { destructiveHint: true },
  input: z.object({ collection, fieldSlug }),
  target: (input) => targetOf(input.fieldSlug),
});

/** Tools of fields (spec document 2, Schema; contract 6). */
@Injectable()
export class FieldTools {
  constructor(private readonly changes: SchemaChanges) {}

  @Tool(create)
  create(ctx: Context, { collection, ...field }: ToolInputOf<typeof create>) {
    return createField(ctx, this.changes, { collection, field });
  }

  @Tool(update)
  async update(ctx: Context, { collection, fieldSlug, ...properties }: ToolInputOf<typeof update>) {
    const address = { collection, field: fieldSlug };
    return { item: await updateField(ctx, this.changes, { ...address, update: properties }) };
  }

  @Tool(remove)
  async remove(ctx: Context, { collection, fieldSlug }: ToolInputOf<typeof remove>) {
    await deleteField(ctx, this.changes, { collection, field: fieldSlug });
    return { deleted: fieldSlug, collection };
  }
}
