import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { OutboxDispatcher } from '@quire/jobs';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { SchemaChanges } from '../../schema/index.js';
import { prepareImport } from './prepare-import.js';
import { prepareBody, preparedSchema } from './prepare.schemas.js';

const prepare = declareOperation({
  id: 'prepareImport',
  method: 'POST',
  path: 'import/legacy/prepare',
  summary: 'Create the collections and fields that an import needs',
  tag: 'Import',
  access: 'import:execute',
  scope: 'admin',
  isDocumented: false,
  isBlockedInReadOnlyMode: true,
  body: prepareBody,
  // Each field locks its table by itself, behind the writers of the collection.
  timeoutSeconds: 600,
  response: preparedSchema,
});

/** The third step of an import (spec document 3, rule 3; contract 1.3). */
@Controller()
export class PrepareController {
  constructor(
    private readonly changes: SchemaChanges,
    private readonly dispatcher: OutboxDispatcher,
  ) {}

  @Operation(prepare)
  prepare(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof prepare>) {
    const { changes, dispatcher } = this;
    return prepareImport(ctx, { changes, wakeDispatcher: () => dispatcher.wake() }, body);
  }
}
