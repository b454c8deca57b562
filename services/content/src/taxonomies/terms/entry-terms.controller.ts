import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { addressQuery, EntryDeps, entryParams } from '../../entries/index.js';
import { taxonomyParams } from '../definitions/index.js';
import { getContentTerms, setContentTerms } from './entry-terms.operations.js';
import { entryTermsBody, entryTermsSchema } from './terms.schemas.js';

const oneTaxonomy = {
  tag: 'Content',
  path: 'content/:collection/:id/terms/:taxonomy',
  params: entryParams.extend({ taxonomy: taxonomyParams.shape.name }),
  query: addressQuery,
  response: entryTermsSchema,
  errors: ['NOT_FOUND', 'COLLECTION_NOT_FOUND'],
} as const;

const get = declareOperation({
  ...oneTaxonomy,
  id: 'getContentTerms',
  method: 'GET',
  summary: 'List the terms of a taxonomy that an entry has',
  access: 'content:read',
  scope: 'content:read',
});

const set = declareOperation({
  ...oneTaxonomy,
  id: 'setContentTerms',
  method: 'POST',
  summary: 'Replace the terms of a taxonomy that an entry has',
  access: 'content:edit',
  scope: 'content:write',
  isBlockedInReadOnlyMode: true,
  body: entryTermsBody,
});

/** Terms on entries (contract 7). */
@Controller()
export class EntryTermsController {
  constructor(private readonly entries: EntryDeps) {}

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof get>) {
    return getContentTerms(ctx, this.entries, { ...params, ...query });
  }

  @Operation(set)
  set(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof set>) {
    return setContentTerms(ctx, this.entries, { ...params, ...query, ...body });
  }
}
