import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { repairAndReport } from './operations/repair-media-usage.js';
import * as operations from './usage.controller.js';
import { collectionSlug, repairBody } from './usage.schemas.js';
import { UsageDeps } from './usage-deps.js';

const repair = declareTool(operations.repair, {
  name: 'media_usage_repair',
  title: 'Repair Media Usage Index',
  description:
    'Rebuilds the index of the media that entries use, for one collection or all, and returns counts. Read status, of each collection too: partial, failed and stale are results, not errors; repeat the call then.',
  input: z
    .strictObject({
      scope: z.enum(['collection', 'all']).describe('One collection, or all'),
      collection: collectionSlug.optional().describe('Slug; required with scope collection, else omitted'),
    })
    .superRefine((input, context) => {
      for (const { path, message } of repairBody.safeParse(input).error?.issues ?? [])
        context.addIssue({ code: 'custom', path, message });
    }),
});

/** Tools of media usage (spec document 2, rule 11; contract 7). */
@Injectable()
export class UsageTools {
  constructor(private readonly deps: UsageDeps) {}

  @Tool(repair)
  repair(ctx: Context, input: ToolInputOf<typeof repair>) {
    return repairAndReport(ctx, this.deps, repairBody.parse(input));
  }
}
