import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { assertStartedByApproval } from '../approvals/index.js';
import { toOperationSummary } from '../operations/operation-summary.js';
import { operationIdArgument } from '../operations/tool-arguments.js';
import { analyze as analyzeOperation } from './analysis/analysis.controller.js';
import { analyzeTransferImport } from './analysis/analyze-transfer-import.js';
import { getTransferCapabilities } from './capabilities/get-transfer-capabilities.js';
import { advance, advanceTransferImport, getTransferImportReceipt } from './execution/index.js';
import { importRights } from './import-declarations.js';
import { getTransferImport } from './imports.operations.js';
import { decisionsSchema } from './plan/plan.js';
import { toPlanSummary } from './plan/plan-summary.js';

const anyScope = ['transfer:export', 'transfer:analyze', 'transfer:execute'] as const;
const input = z.object({ operationId: operationIdArgument });
const target = ({ operationId: id }: z.output<typeof input>) => ({ type: 'site-import', id }) as const;
const withoutScope = (ctx: Context, { operationId }: z.output<typeof input>) =>
  assertStartedByApproval(ctx, 'import', operationId);

const capabilities = declareTool(importRights.read, {
  name: 'site_transfer_capabilities',
  title: 'Get Site Transfer Capabilities',
  description:
    'Returns the format versions and limits of site packages, and whether this site is empty enough to receive an import.',
  annotations: { readOnlyHint: true },
  scope: anyScope,
  input: z.object({}),
});

const analyze = declareTool(analyzeOperation, {
  name: 'site_import_analyze',
  title: 'Analyze Site Import',
  description:
    'Takes one step of the analysis of an uploaded package; nothing is written to the site. Repeat after nextRequestInMs milliseconds until that is null; then plan shows what the import will do. Other decisions give another planDigest.',
  target,
  input: input.extend({
    decisions: decisionsSchema
      .optional()
      .describe(
        'principalMappings: user id, or null, by principal id. siteTitle, siteTagline: which one stays',
      ),
  }),
});

const status = declareTool(importRights.read, {
  name: 'site_import_status',
  title: 'Get Site Import Status',
  description:
    'Returns the state of an import, and how many files of its package are declared and verified. It takes no step.',
  annotations: { readOnlyHint: true },
  scope: anyScope,
  withoutScope,
  input,
});

const resume = declareTool(advance, {
  name: 'site_import_resume',
  title: 'Resume Site Import',
  description:
    'Takes one step of a started import; safe to repeat. Repeat after nextRequestInMs milliseconds until that is null.',
  target,
  withoutScope,
  input,
});

const receipt = declareTool(importRights.read, {
  name: 'site_import_receipt',
  title: 'Get Site Import Receipt',
  description: 'Returns the receipt of a complete import: digests, counts, and the verification.',
  annotations: { readOnlyHint: true },
  scope: anyScope,
  withoutScope,
  input,
});

/** Tools of imports of the whole site, but for their start (spec document 2, rule 13; contract 12). */
@Injectable()
export class ImportTools {
  constructor(private readonly deps: TransferDeps) {}

  @Tool(capabilities)
  capabilities(ctx: Context) {
    return getTransferCapabilities(ctx, this.deps);
  }

  @Tool(analyze)
  async analyze(ctx: Context, { operationId: id, decisions }: ToolInputOf<typeof analyze>) {
    const analyzed = await analyzeTransferImport(ctx, this.deps, { id, decisions });
    const { operation, plan, planDigest, nextRequestInMs } = analyzed;
    return {
      operation: toOperationSummary(operation),
      ...(plan && planDigest && { plan: toPlanSummary(plan, planDigest) }),
      nextRequestInMs,
    };
  }

  @Tool(status)
  async status(ctx: Context, { operationId }: ToolInputOf<typeof status>) {
    const { operation, files } = await getTransferImport(ctx, operationId);
    return { operation: toOperationSummary(operation), files };
  }

  @Tool(resume)
  async resume(ctx: Context, { operationId }: ToolInputOf<typeof resume>) {
    const { operation, nextRequestInMs } = await advanceTransferImport(ctx, this.deps, operationId);
    return { operation: toOperationSummary(operation), nextRequestInMs };
  }

  @Tool(receipt)
  receipt(ctx: Context, { operationId }: ToolInputOf<typeof receipt>) {
    return getTransferImportReceipt(ctx, operationId);
  }
}
