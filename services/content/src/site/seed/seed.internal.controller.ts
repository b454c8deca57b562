import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import { SchemaChanges } from '../../schema/index.js';
import { defaultSeed } from './default-seed.js';
import { applySeed } from './operations/apply-seed.js';

/** The seed of new sites (contract 38), for the setup of the auth service. */
@Controller()
export class SeedInternalController {
  constructor(
    @Inject(SchemaChanges) private readonly changes: SchemaChanges,
    private readonly entries: EntryDeps,
  ) {}

  @Operation(contentApi.getSeed)
  getSeed(): ResponseOf<typeof contentApi.getSeed> {
    const { name, description, collections, entries } = defaultSeed;
    return { name, description, collections: collections.length, hasContent: entries.length > 0 };
  }

  @Operation(contentApi.applySeed)
  applySeed(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.applySeed>,
  ): Promise<ResponseOf<typeof contentApi.applySeed>> {
    const { changes, entries } = this;
    return applySeed(ctx, { changes, entries }, { seed: defaultSeed, withEntries: body.withEntries });
  }
}
