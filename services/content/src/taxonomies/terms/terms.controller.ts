import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { SiteLocales } from '../../locales/index.js';
import { localeQuery, taxonomyParams } from '../definitions/index.js';
import { createTerm } from './operations/create-term.js';
import { deleteTerm, getTerm, listTerms, reorderTerms, updateTerm } from './terms.operations.js';
import {
  createTermBody,
  listedTermSchema,
  listTermsQuery,
  oneTermSchema,
  reorderTermsBody,
  termParams,
  termSchema,
  updateTermBody,
} from './terms.schemas.js';

const read = { tag: 'Taxonomies', access: 'taxonomies:read', scope: 'content:read' } as const;
const write = { tag: 'Taxonomies', access: 'taxonomies:manage', scope: 'taxonomies:manage' } as const;
const one = z.object({ term: termSchema });

export const list = declareOperation({
  ...read,
  id: 'listTerms',
  method: 'GET',
  path: 'taxonomies/:name/terms',
  summary: "List a taxonomy's terms",
  params: taxonomyParams,
  query: listTermsQuery,
  response: z.object({ terms: z.array(listedTermSchema) }),
  errors: ['NOT_FOUND'],
});

export const create = declareOperation({
  ...write,
  id: 'createTerm',
  method: 'POST',
  path: 'taxonomies/:name/terms',
  summary: 'Create a term',
  params: taxonomyParams,
  body: createTermBody,
  status: 201,
  response: one,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const get = declareOperation({
  ...read,
  id: 'getTerm',
  method: 'GET',
  path: 'taxonomies/:name/terms/:slug',
  summary: 'Get a term with its children',
  params: termParams,
  query: localeQuery,
  response: z.object({ term: oneTermSchema }),
  errors: ['NOT_FOUND'],
});

export const update = declareOperation({
  ...write,
  id: 'updateTerm',
  method: 'PUT',
  path: 'taxonomies/:name/terms/:slug',
  summary: 'Update a term',
  params: termParams,
  query: localeQuery,
  body: updateTermBody,
  response: one,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const remove = declareOperation({
  ...write,
  id: 'deleteTerm',
  method: 'DELETE',
  path: 'taxonomies/:name/terms/:slug',
  summary: 'Delete a term without children',
  params: termParams,
  query: localeQuery,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

const reorder = declareOperation({
  ...write,
  id: 'reorderTerms',
  method: 'POST',
  path: 'taxonomies/:name/reorder',
  summary: 'Reorder terms of one parent',
  params: taxonomyParams,
  body: reorderTermsBody,
  response: z.object({ reordered: z.literal(true) }),
  errors: ['NOT_FOUND', 'REORDER_MISMATCH'],
});

/** Terms (spec document 1, Taxonomies; contract 17). */
@Controller()
export class TermsController {
  constructor(private readonly locales: SiteLocales) {}

  @Operation(list)
  async list(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof list>) {
    return { terms: await listTerms(ctx, this.locales.of(ctx), { ...params, ...query }) };
  }

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof create>) {
    return { term: await createTerm(ctx, this.locales.of(ctx), { ...params, term: body }) };
  }

  @Operation(get)
  async get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof get>) {
    return { term: await getTerm(ctx, this.locales.of(ctx), { ...params, ...query }) };
  }

  @Operation(update)
  async update(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof update>) {
    return { term: await updateTerm(ctx, this.locales.of(ctx), { ...params, ...query, update: body }) };
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof remove>) {
    return deleteTerm(ctx, this.locales.of(ctx), { ...params, ...query });
  }

  @Operation(reorder)
  reorder(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof reorder>) {
    return reorderTerms(ctx, { ...params, ...body });
  }
}
