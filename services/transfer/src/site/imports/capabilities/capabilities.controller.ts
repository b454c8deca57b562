import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { packageLimits } from '@quire/site-package';
import { z } from 'zod';
import { TransferDeps } from '../../../transfer-deps.js';
import { getTransferCapabilities } from './get-transfer-capabilities.js';

const count = z.number().int().nonnegative();
const limitNames = Object.keys(packageLimits) as (keyof typeof packageLimits)[];
const described = z.array(z.record(z.string(), z.string()));

const get = declareOperation({
  tag: 'Site transfer',
  // Whoever may import may export, and the other way round: both permissions are those of Admins.
  access: 'transfer:import',
  scope: ['transfer:export', 'transfer:analyze', 'transfer:execute'],
  id: 'getTransferCapabilities',
  method: 'GET',
  path: 'admin/transfer/capabilities',
  summary: 'Get the formats and limits of packages, and whether the site may receive an import',
  response: z.object({
    formatVersions: z.array(z.string()),
    features: z.array(z.string()),
    optionalFeatures: z.array(z.string()),
    limits: z.record(z.enum(limitNames), count),
    portableDomain: z.object({
      empty: z.boolean().describe('Whether the site has only records of its default seed'),
      blockers: described.describe('Kinds with other records, and their number: at most 50'),
      seededScaffold: described.describe('Records of the default seed, which an import deletes: at most 50'),
    }),
  }),
  errors: ['INSUFFICIENT_PERMISSIONS'],
});

/** What site transfers can do (contract 25). */
@Controller()
export class CapabilitiesController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(get)
  get(@Ctx() ctx: Context) {
    return getTransferCapabilities(ctx, this.deps);
  }
}
