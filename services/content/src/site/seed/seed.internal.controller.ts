import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { EntryDeps } from '../../entries/index.js';
import { SchemaChanges } from '../../schema/index.js';
import { defaultSeed } from './default-seed.js';
import { applySeed } from './operations/apply-seed.js';

const shared = { tag: 'Internal', access: 'internal', scope: null, isDocumented: false } as const;
const count = z.number().int();

const describe = declareOperation({
  ...shared,
  id: 'internalDescribeSeed',
  method: 'GET',
  path: 'internal/content/seed',
  summary: 'What the seed of new sites holds, for the setup of the auth service',
  response: z.object({
    name: z.string(),
    description: z.string(),
    collections: count,
    hasContent: z.boolean(),
  }),
});

const apply = declareOperation({
  ...shared,
  id: 'internalApplySeed',
  method: 'POST',
  path: 'internal/content/seed',
  summary: 'Apply the seed, for the setup of the auth service',
  body: z.object({ withEntries: z.boolean() }),
  response: z.object({
    blockTypes: count,
    collections: count,
    fields: count,
    taxonomies: count,
    entries: count,
  }),
});

/** The seed of new sites (contract 38). */
@Controller()
export class SeedInternalController {
  constructor(
    @Inject(SchemaChanges) private readonly changes: SchemaChanges,
    private readonly entries: EntryDeps,
  ) {}

  @Operation(describe)
  describe() {
    const { name, description, collections, entries } = defaultSeed;
    return { name, description, collections: collections.length, hasContent: entries.length > 0 };
  }

  @Operation(apply)
  apply(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof apply>) {
    const { changes, entries } = this;
    return applySeed(ctx, { changes, entries }, { seed: defaultSeed, withEntries: body.withEntries });
  }
}
