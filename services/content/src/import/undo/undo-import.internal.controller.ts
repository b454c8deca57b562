import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentImportApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import { ReadOnlyMode } from '../../integration/read-only-mode/index.js';
import { undoImport } from './undo-import.js';

/** The deletion of what an import created, for the transfer service. */
@Controller()
export class UndoImportInternalController {
  constructor(
    private readonly entries: EntryDeps,
    private readonly readOnlyMode: ReadOnlyMode,
  ) {}

  @Operation(contentImportApi.undoImport)
  undoImport(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.undoImport>,
  ): Promise<ResponseOf<typeof contentImportApi.undoImport>> {
    return undoImport(ctx, { entries: this.entries, readOnlyMode: this.readOnlyMode }, body);
  }
}
