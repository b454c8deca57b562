import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { SiteLocales } from '../../locales/index.js';
import { createTaxonomy } from './operations/create-taxonomy.js';
import { updateTaxonomy } from './operations/update-taxonomy.js';
import {
  deleteTaxonomy,
  getTaxonomy,
  listTaxonomies,
  listTaxonomyTranslations,
} from './taxonomies.operations.js';
import {
  createTaxonomyBody,
  localeQuery,
  taxonomyParams,
  taxonomySchema,
  updateTaxonomyBody,
} from './taxonomies.schemas.js';

const read = { tag: 'Taxonomies', access: 'taxonomies:read', scope: 'content:read' } as const;
const write = { tag: 'Taxonomies', access: 'taxonomies:manage', scope: 'taxonomies:manage' } as const;
const one = z.object({ taxonomy: taxonomySchema });

export const list = declareOperation({
  ...read,
  id: 'listTaxonomies',
  method: 'GET',
  path: 'taxonomies',
  summary: 'List taxonomy definitions',
  query: localeQuery,
  response: z.object({ taxonomies: z.array(taxonomySchema) }),
});

export const create = declareOperation({
  ...write,
  id: 'createTaxonomy',
  method: 'POST',
  path: 'taxonomies',
  summary: 'Create a taxonomy, or add a locale to one',
  isDocumented: false,
  body: createTaxonomyBody,
  status: 201,
  response: one,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const get = declareOperation({
  ...read,
  id: 'getTaxonomy',
  method: 'GET',
  path: 'taxonomies/:name',
  summary: 'Get a taxonomy definition',
  params: taxonomyParams,
  query: localeQuery,
  response: one,
  errors: ['NOT_FOUND'],
});

export const update = declareOperation({
  ...write,
  id: 'updateTaxonomy',
  method: 'PUT',
  path: 'taxonomies/:name',
  summary: 'Update a taxonomy definition',
  params: taxonomyParams,
  query: localeQuery,
  body: updateTaxonomyBody,
  response: one,
  errors: ['NOT_FOUND'],
});

export const remove = declareOperation({
  ...write,
  id: 'deleteTaxonomy',
  method: 'DELETE',
  path: 'taxonomies/:name',
  summary: 'Delete a taxonomy with its terms and their assignments',
  params: taxonomyParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

const translations = declareOperation({
  ...read,
  id: 'listTaxonomyTranslations',
  method: 'GET',
  path: 'taxonomies/:name/translations',
  summary: 'List the locales of a taxonomy definition',
  params: taxonomyParams,
  response: z.object({
    translationGroup: z.string().nullable(),
    translations: z.array(
      z.object({ id: z.string(), name: z.string(), label: z.string(), locale: z.string() }),
    ),
  }),
  errors: ['NOT_FOUND'],
});

/** Taxonomy definitions (spec document 1, Taxonomies; contract 17). */
@Controller()
export class TaxonomiesController {
  constructor(private readonly locales: SiteLocales) {}

  @Operation(list)
  async list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return { taxonomies: await listTaxonomies(ctx, this.locales.of(ctx), query.locale) };
  }

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return { taxonomy: await createTaxonomy(ctx, this.locales.of(ctx), body) };
  }

  @Operation(get)
  async get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof get>) {
    return { taxonomy: await getTaxonomy(ctx, this.locales.of(ctx), { ...params, ...query }) };
  }

  @Operation(update)
  async update(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof update>) {
    return {
      taxonomy: await updateTaxonomy(ctx, this.locales.of(ctx), { ...params, ...query, update: body }),
    };
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteTaxonomy(ctx, params.name);
  }

  @Operation(translations)
  translations(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof translations>) {
    return listTaxonomyTranslations(ctx, params.name);
  }
}
