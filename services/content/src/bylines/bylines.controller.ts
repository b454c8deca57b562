import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { AuthClient } from '../clients/index.js';
import { SiteLocales } from '../locales/index.js';
import {
  createByline,
  createBylineTranslation,
  deleteByline,
  getByline,
  listBylines,
  listBylineTranslations,
  updateByline,
} from './bylines.operations.js';
import {
  bylineItems,
  bylinePage,
  bylineParams,
  createBylineBody,
  listBylinesQuery,
  translateBylineBody,
  updateBylineBody,
} from './bylines.schemas.js';
import { bylineSummary } from './credits/index.js';

const admin = { tag: 'Bylines', scope: 'admin', isDocumented: false } as const;
const read = { ...admin, access: 'bylines:read' } as const;
const write = { ...admin, access: 'bylines:manage' } as const;

export const list = declareOperation({
  ...read,
  id: 'listBylines',
  method: 'GET',
  path: 'admin/bylines',
  summary: 'List bylines, newest first',
  query: listBylinesQuery,
  response: bylinePage,
  errors: ['INVALID_CURSOR'],
});

export const create = declareOperation({
  ...write,
  id: 'createByline',
  method: 'POST',
  path: 'admin/bylines',
  summary: 'Create a byline',
  body: createBylineBody,
  status: 201,
  response: bylineSummary,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const get = declareOperation({
  ...read,
  id: 'getByline',
  method: 'GET',
  path: 'admin/bylines/:id',
  summary: 'Get a byline',
  params: bylineParams,
  response: bylineSummary,
  errors: ['NOT_FOUND'],
});

export const update = declareOperation({
  ...write,
  id: 'updateByline',
  method: 'PUT',
  path: 'admin/bylines/:id',
  summary: 'Update a byline',
  params: bylineParams,
  body: updateBylineBody,
  response: bylineSummary,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const remove = declareOperation({
  ...write,
  id: 'deleteByline',
  method: 'DELETE',
  path: 'admin/bylines/:id',
  summary: 'Delete a byline',
  params: bylineParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

export const translations = declareOperation({
  ...read,
  id: 'listBylineTranslations',
  method: 'GET',
  path: 'admin/bylines/:id/translations',
  summary: 'List the locales of a byline',
  params: bylineParams,
  response: bylineItems,
  errors: ['NOT_FOUND'],
});

const translate = declareOperation({
  ...write,
  id: 'createBylineTranslation',
  method: 'POST',
  path: 'admin/bylines/:id/translations',
  summary: 'Create a translation of a byline',
  params: bylineParams,
  body: translateBylineBody,
  status: 201,
  response: bylineSummary,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Bylines, for the admin panel (contract 35). */
@Controller()
export class BylinesController {
  constructor(
    private readonly locales: SiteLocales,
    private readonly users: AuthClient,
  ) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listBylines(ctx, this.locales.of(ctx), query);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createByline(ctx, { locales: this.locales.of(ctx), users: this.users }, body);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getByline(ctx, params.id);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateByline(ctx, this.users, { id: params.id, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteByline(ctx, params.id);
  }

  @Operation(translations)
  translations(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof translations>) {
    return listBylineTranslations(ctx, params.id);
  }

  @Operation(translate)
  translate(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof translate>) {
    return createBylineTranslation(ctx, this.locales.of(ctx), { id: params.id, translation: body });
  }
}
