import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation, pageQuery, storableText } from '@quire/operation';
import { z } from 'zod';
import { addressQuery, entryParams, entryRefSchema } from '../entries.schemas.js';
import { EntryDeps } from '../entry-deps.js';
import {
  listReferenceChildren,
  listReferenceParents,
  setReferenceChildren,
} from './references.operations.js';

const shared = { tag: 'Content', isDocumented: false } as const;
const params = entryParams.extend({ relation: storableText(z.string().min(1).max(200)) });
const query = pageQuery.extend(addressQuery.shape);
const errors = ['NOT_FOUND', 'COLLECTION_NOT_FOUND', 'INVALID_CURSOR'] as const;
const children = z.object({ children: z.array(entryRefSchema), nextCursor: z.string().optional() });

const listChildren = declareOperation({
  ...shared,
  id: 'listReferenceChildren',
  method: 'GET',
  path: 'content/:collection/:id/references/:relation/children',
  summary: 'List the entries that an entry selects through a relation',
  access: 'content:read',
  scope: 'content:read',
  params,
  query,
  response: children,
  errors,
});

const setChildren = declareOperation({
  ...shared,
  id: 'setReferenceChildren',
  method: 'POST',
  path: 'content/:collection/:id/references/:relation/children',
  summary: 'Replace the entries that an entry selects through a relation',
  access: 'content:edit',
  scope: 'content:write',
  isBlockedInReadOnlyMode: true,
  params,
  query: addressQuery,
  body: z.object({
    childIds: z.array(storableText(z.string().min(1).max(64))).max(1000),
    overrideLock: z.boolean().optional(),
  }),
  response: children,
  errors: [...errors, 'ENTRY_LOCKED'],
});

const listParents = declareOperation({
  ...shared,
  id: 'listReferenceParents',
  method: 'GET',
  path: 'content/:collection/:id/references/:relation/parents',
  summary: 'List the entries that select an entry through a relation',
  access: 'content:read',
  scope: 'content:read',
  params,
  query,
  response: z.object({ parents: z.array(entryRefSchema), nextCursor: z.string().optional() }),
  errors,
});

/** Links of entries along relations (contract 10); not in the OpenAPI document. */
@Controller()
export class ReferencesController {
  constructor(private readonly entries: EntryDeps) {}

  @Operation(listChildren)
  listChildren(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof listChildren>) {
    return listReferenceChildren(ctx, this.entries, { ...params, ...query });
  }

  @Operation(setChildren)
  setChildren(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof setChildren>) {
    return setReferenceChildren(ctx, this.entries, { ...params, ...query, ...body });
  }

  @Operation(listParents)
  listParents(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof listParents>) {
    return listReferenceParents(ctx, this.entries, { ...params, ...query });
  }
}
