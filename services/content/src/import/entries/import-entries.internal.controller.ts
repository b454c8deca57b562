import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentImportApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import { ReadOnlyMode } from '../../integration/read-only-mode/index.js';
import { importEntries } from './import-entries.js';

/** Imported entries, for the transfer service. */
@Controller()
export class ImportEntriesInternalController {
  constructor(
    private readonly entries: EntryDeps,
    private readonly readOnlyMode: ReadOnlyMode,
  ) {}

  @Operation(contentImportApi.importEntries)
  importEntries(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.importEntries>,
  ): Promise<ResponseOf<typeof contentImportApi.importEntries>> {
    return importEntries(ctx, { entries: this.entries, readOnlyMode: this.readOnlyMode }, body);
  }
}
