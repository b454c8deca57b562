import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { hasScope } from '@quire/permissions';
import { digestSchema } from '@quire/site-package';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { assertStartApproved, consumeApproval, type RequestedStart } from '../approvals/index.js';
import { toOperationSummary } from '../operations/operation-summary.js';
import { approvalIdArgument, operationIdArgument } from '../operations/tool-arguments.js';
import { checkExecutable, execute, executeTransferImport } from './execution/index.js';

interface StartArguments {
  operationId: string;
  packageDigest: string;
  planDigest: string;
  approvalId?: string | undefined;
}

/** The start that an administrator approves: one package and one plan. */
const startOf = ({ operationId, packageDigest, planDigest }: StartArguments): RequestedStart => ({
  action: 'import',
  arguments: { operationId, packageDigest, planDigest },
});

/** The import is checked before an approval is made or used (contract 12). */
async function assertApproved(ctx: Context, input: StartArguments): Promise<void> {
  await checkExecutable(ctx, { ...input, id: input.operationId });
  await assertStartApproved(ctx, startOf(input), input.approvalId);
}

const start = declareTool(execute, {
  name: 'site_import_start',
  title: 'Start Site Import',
  description:
    'Starts an analyzed import without blockers: it replaces the content of the site, and blocks other writes until it is complete. Take its steps with site_import_resume. A token without the scope asks an administrator for an approval.',
  annotations: { destructiveHint: true },
  target: ({ operationId: id }) => ({ type: 'site-import', id }),
  withoutScope: assertApproved,
  input: z.object({
    operationId: operationIdArgument,
    packageDigest: digestSchema.describe('packageDigest of the latest plan'),
    planDigest: digestSchema.describe('planDigest of the latest plan'),
    approvalId: approvalIdArgument,
  }),
});

/** The tool that starts an import of the whole site (spec document 2, rule 13; contract 12). */
@Injectable()
export class StartTools {
  constructor(private readonly deps: TransferDeps) {}

  @Tool(start)
  async start(ctx: Context, input: ToolInputOf<typeof start>) {
    const { operationId: id, packageDigest, planDigest, approvalId } = input;
    const needsApproval = approvalId !== undefined && !hasScope(ctx.principal, 'transfer:execute');
    const operation = await executeTransferImport(ctx, this.deps, {
      ...{ id, packageDigest, planDigest },
      write: needsApproval
        ? (tx) => consumeApproval(ctx, tx, { approvalId, start: startOf(input), operationId: id })
        : undefined,
    });
    return { operation: toOperationSummary(operation) };
  }
}
