import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation, pageQuery, storableText } from '@quire/operation';
import { z } from 'zod';
import { addressQuery, entryParams, EntryDeps, entryRefSchema, type EntryTarget } from '../index.js';
import { listLinkedEntries } from './operations/list-linked-entries.js';
import { setReferenceChildren } from './operations/set-reference-children.js';

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
  summary: 'The entries that an entry selects through a relation',
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
  summary: 'Replace the entries that an entry selects through a relation, at once',
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
  summary: 'The entries that select an entry through a relation',
  access: 'content:read',
  scope: 'content:read',
  params,
  query,
  response: z.object({ parents: z.array(entryRefSchema), nextCursor: z.string().optional() }),
  errors,
});

/** Links of entries along relations (contract 10); beside the OpenAPI document. */
@Controller()
export class ReferencesController {
  constructor(@Inject(EntryDeps) private readonly entries: EntryDeps) {}

  @Operation(listChildren)
  listChildren(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof listChildren>) {
    return this.childrenOf(ctx, { ...params, locale: query.locale }, { ...params, ...query });
  }

  @Operation(setChildren)
  async setChildren(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof setChildren>) {
    const target = { ...params, ...query, overrideLock: body.overrideLock };
    await setReferenceChildren(ctx, this.entries, target, { ...params, ...body });
    return this.childrenOf(ctx, target, { ...params, limit: 50 });
  }

  @Operation(listParents)
  async listParents(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof listParents>) {
    const target = { ...params, locale: query.locale };
    const { items, ...rest } = await listLinkedEntries(ctx, this.entries, target, {
      ...params,
      ...query,
      side: 'child',
    });
    return { parents: items, ...rest };
  }

  private async childrenOf(
    ctx: Context,
    target: EntryTarget,
    page: { relation: string; cursor?: string | undefined; limit: number },
  ) {
    const { items, ...rest } = await listLinkedEntries(ctx, this.entries, target, {
      ...page,
      side: 'parent',
    });
    return { children: items, ...rest };
  }
}
