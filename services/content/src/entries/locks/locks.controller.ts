import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation, storableText } from '@quire/operation';
import { z } from 'zod';
import { addressQuery, EntryDeps, entryParams } from '../index.js';
import { acquireEntryLock, getEntryLock, releaseEntryLock } from './locks.operations.js';

const token = storableText(z.string().min(1).max(128));
const lockStatus = z
  .object({
    enabled: z.boolean(),
    heldByCaller: z.boolean(),
    holder: z
      .object({
        userId: z.string(),
        userName: z.string().nullable(),
        acquiredAt: z.string(),
        expiresAt: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'LockStatus' });

const shared = {
  tag: 'Content',
  path: 'content/:collection/:id/lock',
  access: 'content:edit',
  params: entryParams,
  errors: ['NOT_FOUND', 'COLLECTION_NOT_FOUND'],
} as const;

const get = declareOperation({
  ...shared,
  id: 'getEntryLock',
  method: 'GET',
  summary: 'Get the edit lock of an entry',
  scope: 'content:read',
  query: addressQuery,
  response: lockStatus,
});

const acquire = declareOperation({
  ...shared,
  id: 'acquireEntryLock',
  method: 'POST',
  summary: 'Acquire, extend or take over the edit lock of an entry',
  scope: 'content:write',
  isBlockedInReadOnlyMode: true,
  query: addressQuery,
  body: z.object({ token: token.optional(), takeover: z.boolean().optional() }),
  bodyIsOptional: true,
  response: lockStatus,
});

const release = declareOperation({
  ...shared,
  id: 'releaseEntryLock',
  method: 'DELETE',
  summary: "Release the caller's edit lock of an entry",
  scope: 'content:write',
  isBlockedInReadOnlyMode: true,
  query: addressQuery.extend({ token: token.optional() }),
  response: z.object({ released: z.boolean() }),
});

/** Edit leases on entries (spec document 1, Edit lease; contract 8). */
@Controller()
export class LocksController {
  constructor(private readonly entries: EntryDeps) {}

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof get>) {
    return getEntryLock(ctx, this.entries, { ...params, ...query });
  }

  @Operation(acquire)
  acquire(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof acquire>) {
    return acquireEntryLock(ctx, this.entries, { ...params, ...query, ...body });
  }

  @Operation(release)
  release(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof release>) {
    return releaseEntryLock(ctx, this.entries, { ...params, ...query });
  }
}
