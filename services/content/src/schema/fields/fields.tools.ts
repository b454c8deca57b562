import { Injectable } from '@nestjs/common';
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

const rules =
  'Rules by type: minLength, maxLength, pattern (string, text, slug); min, max (number, integer); options (select, multiSelect); allowedMimeTypes (image, file); subFields [{slug, label, type, required, options}], minItems, maxItems (repeater); allowedTypes [block type slugs], minItems, maxItems (blocks); targetCollection, multiple, or relation, relationSide parent|child (reference)';

const properties = {
  required: field.required.describe('Whether entries must have a value'),
  unique: field.unique.describe('Whether entries have different values'),
  searchable: field.searchable.describe('Whether search finds it'),
  indexed: field.indexed.describe(
    'Allows sorting and filtering lists by it; not for long or structured types',
  ),
  translatable: field.translatable.describe('Whether locales have own values; true by default'),
  defaultValue: field.defaultValue.describe('Value of new entries'),
  widget: field.widget.unwrap().unwrap().optional().describe('Custom widget'),
  options: field.options.unwrap().unwrap().optional().describe('Settings of the widget'),
  sortOrder: field.sortOrder.describe('Position in the editor'),
};

const create = declareTool(operations.create, {
  name: 'schema_create_field',
  title: 'Add Field to Collection',
  description: 'Adds a field to a collection and returns it. Entries that exist get no value.',
  input: z.object({
    collection,
    slug: slugArgument('Permanent key of the value in data: a-z, 0-9 and _'),
    label: field.label.describe('Name for editors'),
    type: field.type.describe('Type of the value'),
    ...properties,
    validation: field.validation.unwrap().unwrap().optional().describe(rules),
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
    validation: field.validation.describe('All rules, as in schema_create_field; null removes them'),
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
