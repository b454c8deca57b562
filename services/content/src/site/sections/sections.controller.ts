import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf, maxContentBodyBytes } from '@quire/operation';
import { z } from 'zod';
import { MediaClient } from '../../clients/index.js';
import {
  createSection,
  deleteSection,
  getSection,
  listSections,
  updateSection,
} from './sections.operations.js';
import {
  createSectionBody,
  listSectionsQuery,
  sectionParams,
  sectionSchema,
  updateSectionBody,
} from './sections.schemas.js';

const read = { tag: 'Sections', access: 'sections:read', scope: 'content:read' } as const;
const write = { tag: 'Sections', access: 'sections:manage', scope: 'content:write' } as const;

const list = declareOperation({
  ...read,
  id: 'listSections',
  method: 'GET',
  path: 'sections',
  summary: 'List sections by title',
  query: listSectionsQuery,
  response: z.object({ items: z.array(sectionSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const create = declareOperation({
  ...write,
  id: 'createSection',
  method: 'POST',
  path: 'sections',
  summary: 'Create a section',
  body: createSectionBody,
  maxBodyBytes: maxContentBodyBytes,
  status: 201,
  response: sectionSchema,
  errors: ['CONFLICT'],
});

const get = declareOperation({
  ...read,
  id: 'getSection',
  method: 'GET',
  path: 'sections/:slug',
  summary: 'Get a section',
  params: sectionParams,
  response: sectionSchema,
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...write,
  id: 'updateSection',
  method: 'PUT',
  path: 'sections/:slug',
  summary: 'Update a section',
  params: sectionParams,
  body: updateSectionBody,
  maxBodyBytes: maxContentBodyBytes,
  response: sectionSchema,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const remove = declareOperation({
  ...write,
  id: 'deleteSection',
  method: 'DELETE',
  path: 'sections/:slug',
  summary: 'Delete a section that does not belong to the theme',
  params: sectionParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

/** Sections (spec document 1, Sections; contract 19). */
@Controller()
export class SectionsController {
  constructor(private readonly media: MediaClient) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listSections(ctx, this.media, query);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createSection(ctx, this.media, body);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getSection(ctx, this.media, params.slug);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateSection(ctx, this.media, { slug: params.slug, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteSection(ctx, params.slug);
  }
}
