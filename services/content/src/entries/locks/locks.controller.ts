import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation, storableText } from '@quire/operation';
import { z } from 'zod';
import { addressQuery, entryParams, EntryDeps } from '../index.js';
import { AuthClient } from '../../clients/index.js';
import { acquireLock } from './operations/acquire-lock.js';
import { getLock } from './operations/get-lock.js';
import { releaseLock } from './operations/release-lock.js';

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

const getEntryLock = declareOperation({
  ...shared,
  id: 'getEntryLock',
  method: 'GET',
  summary: 'Who is editing an entry',
  scope: 'content:read',
  query: addressQuery,
  response: lockStatus,
});

const acquireEntryLock = declareOperation({
  ...shared,
  id: 'acquireEntryLock',
  method: 'POST',
  summary: 'Take, extend or take over the edit lock of an entry',
  scope: 'content:write',
  isBlockedInReadOnlyMode: true,
  query: addressQuery,
  body: z.object({ token: token.optional(), takeover: z.boolean().optional() }),
  bodyIsOptional: true,
  response: lockStatus,
});

const releaseEntryLock = declareOperation({
  ...shared,
  id: 'releaseEntryLock',
  method: 'DELETE',
  summary: "Release the caller's edit lock of an entry",
  scope: 'content:write',
  isBlockedInReadOnlyMode: true,
  query: addressQuery.extend({ token: token.optional() }),
  response: z.object({ released: z.boolean() }),
});

/** Edit locks of entries (spec document 1, Edit lease; contract 8). */
@Controller()
export class LocksController {
  constructor(
    @Inject(EntryDeps) private readonly entries: EntryDeps,
    @Inject(AuthClient) private readonly users: AuthClient,
  ) {}

  @Operation(getEntryLock)
  get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof getEntryLock>) {
    return getLock(ctx, this.entries, { ...params, ...query });
  }

  @Operation(acquireEntryLock)
  acquire(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof acquireEntryLock>) {
    return acquireLock(ctx, this.entries, this.users, { ...params, ...query }, body);
  }

  @Operation(releaseEntryLock)
  release(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof releaseEntryLock>) {
    return releaseLock(ctx, this.entries, { ...params, locale: query.locale }, query.token);
  }
}
