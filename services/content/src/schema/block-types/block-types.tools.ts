import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError, type ErrorCode } from '@quire/errors';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { SchemaChanges } from '../schema-change.js';
import { slugArgument } from '../slug-argument.js';
import * as operations from './block-types.controller.js';
import {
  activateBlockTypeVersion,
  createBlockType,
  getBlockType,
  listBlockTypes,
  updateBlockType,
} from './block-types.operations.js';
import { createBlockTypeBody, updateBlockTypeBody } from './block-types.schemas.js';

const { shape: created } = createBlockTypeBody;
const { shape: updated } = updateBlockTypeBody;
const slug = slugArgument('Slug of the block type, from schema_list_block_types');
const expectedFingerprint = updated.expectedFingerprint.describe('fingerprint of the active version');
const target = (input: { slug: string }) => ({ type: 'block-type' as const, id: input.slug });

const list = declareTool(operations.list, {
  name: 'schema_list_block_types',
  title: 'List Block Types',
  description: 'Lists the block types of the site by label, with the fields of all their versions.',
  annotations: { readOnlyHint: true },
  input: z.object({}),
});

const get = declareTool(operations.get, {
  name: 'schema_get_block_type',
  title: 'Get Block Type',
  description:
    'Returns a block type with the fields and the fingerprint of each version. Write blocks as {_type: slug, _version: currentVersion, _key, ...values of fields}.',
  annotations: { readOnlyHint: true },
  input: z.object({ slug }),
});

const create = declareTool(operations.create, {
  name: 'schema_create_block_type',
  title: 'Create Block Type',
  description:
    'Creates a type of blocks; its fields become version 1. Fields of type blocks accept it, or name it in validation.allowedTypes.',
  input: z.object({
    slug: slugArgument('Permanent slug, the _type of its blocks: a-z, 0-9 and _'),
    label: created.label.describe('Name for editors'),
    description: created.description.describe('Purpose, for editors'),
    icon: created.icon.describe('Name of an icon'),
    category: created.category.describe('Group in the list of block types'),
    fields: created.fields.describe('Fields in order; a repeater needs validation.subFields'),
  }),
  target,
});

const update = declareTool(operations.update, {
  name: 'schema_update_block_type',
  title: 'Update Block Type',
  description:
    'Changes a block type; omitted properties keep their values, null clears a text. Fields that stored blocks may not fit need breaking: true and become a new version, active at once.',
  input: z.object({
    slug,
    expectedFingerprint,
    label: updated.label.describe('Name for editors'),
    description: updated.description.describe('Purpose'),
    icon: updated.icon.describe('Icon'),
    category: updated.category.describe('Group'),
    fields: updated.fields.describe('All fields in order'),
    breaking: z.boolean().default(false).describe('Allows a new version'),
  }),
  target,
});

const activate = declareTool(operations.activate, {
  name: 'schema_activate_block_type_version',
  title: 'Activate Block Type Version',
  description:
    'Makes a version of a block type, older ones included, the one that new blocks get. Stored blocks keep theirs.',
  input: z.object({
    slug,
    version: z.number().int().min(1).describe('version, from schema_get_block_type'),
    expectedFingerprint,
  }),
  target,
});

/** Tools of block types (spec document 2, Schema; contract 6). */
@Injectable()
export class BlockTypeTools {
  constructor(private readonly changes: SchemaChanges) {}

  @Tool(list)
  list(ctx: Context) {
    return listBlockTypes(ctx);
  }

  @Tool(get)
  get(ctx: Context, { slug }: ToolInputOf<typeof get>) {
    return getBlockType(ctx, slug);
  }

  @Tool(create)
  create(ctx: Context, input: ToolInputOf<typeof create>) {
    return createBlockType(ctx, this.changes, input);
  }

  @Tool(update)
  update(ctx: Context, { slug, ...properties }: ToolInputOf<typeof update>) {
    return withToolCodes(() => updateBlockType(ctx, this.changes, { slug, update: properties }));
  }

  @Tool(activate)
  activate(ctx: Context, input: ToolInputOf<typeof activate>) {
    return withToolCodes(() => activateBlockTypeVersion(ctx, this.changes, input));
  }
}

/** A stale fingerprint and an unknown version have other codes here than in REST (contract 6). */
const toolCodes: Partial<Record<ErrorCode, ErrorCode>> = {
  BLOCK_TYPE_VERSION_CONFLICT: 'CONFLICT',
  NOT_FOUND: 'BLOCK_TYPE_VERSION_CONFLICT',
};

async function withToolCodes<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    const code = error instanceof QuireError ? toolCodes[error.code] : undefined;
    if (!(error instanceof QuireError) || code === undefined) throw error;
    const { message, details } = error;
    throw new QuireError(code, message, { ...(details && { details }), cause: error });
  }
}
