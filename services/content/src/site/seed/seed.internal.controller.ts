import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import { SchemaChanges } from '../../schema/index.js';
import { defaultSeed } from './default-seed.js';
import { applySeed, getSeed } from './seed.operations.js';

/** The seed of new sites (contract 38), for the setup of the auth service. */
@Controller()
export class SeedInternalController {
  constructor(
    private readonly changes: SchemaChanges,
    private readonly entries: EntryDeps,
  ) {}

  @Operation(contentApi.getSeed)
  getSeed(): ResponseOf<typeof contentApi.getSeed> {
    return getSeed();
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
