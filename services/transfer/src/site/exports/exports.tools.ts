import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { hasScope } from '@quire/permissions';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import {
  assertStartApproved,
  assertStartedByApproval,
  consumeApproval,
  type RequestedStart,
} from '../approvals/index.js';
import { toOperationSummary } from '../operations/operation-summary.js';
import { isActive } from '../operations/record-step.js';
import { approvalIdArgument, operationIdArgument } from '../operations/tool-arguments.js';
import { createTransferExport } from './create-transfer-export.js';
import { advance, create } from './exports.controller.js';
import { advanceTransferExport, getTransferExport } from './exports.operations.js';

/** The start that an administrator approves: the options of the export. */
const startOf = ({ comments }: { comments: boolean }): RequestedStart => ({
  action: 'export',
  arguments: { comments },
});

const start = declareTool(create, {
  name: 'site_export_start',
  title: 'Start Site Export',
  description:
    'Starts an export of the whole site as a package, which an administrator downloads by REST or the command line. Follow it with site_export_status. A token without the scope asks an administrator for an approval.',
  withoutScope: (ctx, { approvalId, ...options }) => assertStartApproved(ctx, startOf(options), approvalId),
  input: z.object({
    comments: z.boolean().default(true).describe('Whether comments are exported'),
    approvalId: approvalIdArgument,
  }),
});

const status = declareTool(advance, {
  name: 'site_export_status',
  title: 'Get Site Export Status',
  description:
    'Takes one step of an export, and returns its state. Repeat after nextRequestInMs milliseconds until that is null; then state is complete, with totals, or failed.',
  target: ({ operationId: id }) => ({ type: 'site-export', id }),
  withoutScope: (ctx, { operationId }) => assertStartedByApproval(ctx, 'export', operationId),
  input: z.object({
    operationId: operationIdArgument,
    advance: z.boolean().default(true).describe('false only reads the state'),
  }),
});

/** Tools of exports of the whole site (spec document 2, rule 12; contract 12). */
@Injectable()
export class ExportTools {
  constructor(private readonly deps: TransferDeps) {}

  @Tool(start)
  async start(ctx: Context, { approvalId, ...options }: ToolInputOf<typeof start>) {
    const needsApproval = approvalId !== undefined && !hasScope(ctx.principal, 'transfer:export');
    const { operation } = await createTransferExport(ctx, this.deps, {
      options,
      write: needsApproval
        ? (tx, operationId) => consumeApproval(ctx, tx, { approvalId, start: startOf(options), operationId })
        : undefined,
    });
    return { operation: toOperationSummary(operation) };
  }

  @Tool(status)
  async status(ctx: Context, { operationId, advance: advances }: ToolInputOf<typeof status>) {
    const { operation, ...rest } = advances
      ? await advanceTransferExport(ctx, this.deps, operationId)
      : await readExport(ctx, operationId);
    return { operation: toOperationSummary(operation), ...rest };
  }
}

/** An export without a step, and whether steps are left. */
async function readExport(ctx: Context, id: string) {
  const found = await getTransferExport(ctx, id);
  return { ...found, nextRequestInMs: isActive(found.operation) ? 0 : null };
}
