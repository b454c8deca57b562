import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, rowId, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import {
  approveTransferApproval,
  denyTransferApproval,
  listTransferApprovals,
} from './approvals.operations.js';
import { approvalSchema, approvalsQuery } from './approvals.schemas.js';

const shared = { tag: 'Site transfer', access: 'session', scope: null } as const;
const decision = {
  ...shared,
  method: 'POST',
  params: z.object({ id: rowId }),
  response: z.object({ approval: approvalSchema }),
} as const;

const list = declareOperation({
  ...shared,
  id: 'listTransferApprovals',
  method: 'GET',
  path: 'admin/transfer/approvals',
  summary: 'List requests to start a transfer with a token that lacks the scope, newest first',
  query: approvalsQuery,
  response: z.object({ items: z.array(approvalSchema), nextCursor: z.string().optional() }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'INVALID_CURSOR'],
});

const approve = declareOperation({
  ...decision,
  id: 'approveTransferApproval',
  path: 'admin/transfer/approvals/:id/approve',
  summary: 'Approve a request to start a transfer',
  reauthentication: 'recent-session',
  errors: ['INSUFFICIENT_PERMISSIONS', 'TRANSFER_APPROVAL_INVALID'],
});

const deny = declareOperation({
  ...decision,
  id: 'denyTransferApproval',
  path: 'admin/transfer/approvals/:id/deny',
  summary: 'Deny a request to start a transfer',
  errors: ['INSUFFICIENT_PERMISSIONS', 'TRANSFER_APPROVAL_INVALID'],
});

/** Requests for approvals, for signed-in administrators (spec document 2; contract 25). */
@Controller()
export class ApprovalsController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listTransferApprovals(ctx, this.deps, query);
  }

  @Operation(approve)
  approve(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof approve>) {
    return approveTransferApproval(ctx, this.deps, id);
  }

  @Operation(deny)
  deny(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof deny>) {
    return denyTransferApproval(ctx, this.deps, id);
  }
}
