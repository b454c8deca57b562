import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { ReadOnlyMode } from '../integration/read-only-mode/index.js';
import { listRegisteredCollections, updateChangeSubscription } from './collections/collections.operations.js';
import { getFileTypes } from './fields/fields.operations.js';
import { SchemaChanges } from './schema-change.js';

/** The schema for the other services. */
@Controller()
export class SchemaInternalController {
  constructor(
    @Inject(SchemaChanges) private readonly changes: SchemaChanges,
    @Inject(ReadOnlyMode) private readonly readOnlyMode: ReadOnlyMode,
  ) {}

  @Operation(contentApi.getFileTypes)
  getFileTypes(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.getFileTypes>,
  ): Promise<ResponseOf<typeof contentApi.getFileTypes>> {
    return getFileTypes(ctx, body.fieldId);
  }

  @Operation(contentApi.listRegisteredCollections)
  async listRegisteredCollections(
    @Ctx() ctx: Context,
  ): Promise<ResponseOf<typeof contentApi.listRegisteredCollections>> {
    return { collections: await listRegisteredCollections(ctx) };
  }

  @Operation(contentApi.updateChangeSubscription)
  async updateChangeSubscription(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.updateChangeSubscription>,
  ): Promise<ResponseOf<typeof contentApi.updateChangeSubscription>> {
    await updateChangeSubscription(ctx, this.changes, body);
    return {};
  }

  @Operation(contentApi.getWriteFence)
  async getWriteFence(@Ctx() ctx: Context): Promise<ResponseOf<typeof contentApi.getWriteFence>> {
    return { rejection: await this.readOnlyMode.rejectionOf(ctx) };
  }

  @Operation(contentApi.setWriteFence)
  async setWriteFence(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.setWriteFence>,
  ): Promise<ResponseOf<typeof contentApi.setWriteFence>> {
    await this.readOnlyMode.set(ctx, body.code, body.raised);
    return {};
  }
}
