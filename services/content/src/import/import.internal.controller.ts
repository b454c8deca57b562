import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentImportApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../entries/index.js';
import { SiteLocales } from '../locales/index.js';
import { importBylines } from './bylines/index.js';
import { importComments } from './comments/index.js';
import { importEntries } from './entries/index.js';
import { importMenu } from './menus/index.js';
import { linkEntryParents } from './parents/index.js';
import { importSections } from './sections/index.js';
import { getImportTargets } from './targets/index.js';
import { importTerms } from './terms/index.js';
import { undoImport } from './undo/index.js';

/** What imports read, write and delete, for the transfer service. */
@Controller()
export class ImportInternalController {
  constructor(
    private readonly entries: EntryDeps,
    private readonly locales: SiteLocales,
  ) {}

  @Operation(contentImportApi.getImportTargets)
  getImportTargets(@Ctx() ctx: Context): Promise<contentImportApi.ImportTargets> {
    return getImportTargets(ctx, this.locales.of(ctx));
  }

  @Operation(contentImportApi.importBylines)
  importBylines(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.importBylines>,
  ): Promise<ResponseOf<typeof contentImportApi.importBylines>> {
    return importBylines(ctx, this.locales.of(ctx), body);
  }

  @Operation(contentImportApi.importTerms)
  importTerms(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.importTerms>,
  ): Promise<ResponseOf<typeof contentImportApi.importTerms>> {
    return importTerms(ctx, this.locales.of(ctx), body);
  }

  @Operation(contentImportApi.importEntries)
  importEntries(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.importEntries>,
  ): Promise<ResponseOf<typeof contentImportApi.importEntries>> {
    return importEntries(ctx, this.entries, body);
  }

  @Operation(contentImportApi.linkEntryParents)
  linkEntryParents(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.linkEntryParents>,
  ): Promise<ResponseOf<typeof contentImportApi.linkEntryParents>> {
    return linkEntryParents(ctx, body);
  }

  @Operation(contentImportApi.importSections)
  importSections(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.importSections>,
  ): Promise<ResponseOf<typeof contentImportApi.importSections>> {
    return importSections(ctx, body);
  }

  @Operation(contentImportApi.importComments)
  importComments(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.importComments>,
  ): Promise<ResponseOf<typeof contentImportApi.importComments>> {
    return importComments(ctx, body);
  }

  @Operation(contentImportApi.importMenu)
  importMenu(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.importMenu>,
  ): Promise<ResponseOf<typeof contentImportApi.importMenu>> {
    return importMenu(ctx, this.locales.of(ctx), body);
  }

  @Operation(contentImportApi.undoImport)
  undoImport(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentImportApi.undoImport>,
  ): Promise<ResponseOf<typeof contentImportApi.undoImport>> {
    return undoImport(ctx, this.entries, body);
  }
}
