import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { deletePreference, getPreference, setPreference } from './preferences.operations.js';
import { preferenceBody, preferenceParams, preferenceSchema } from './preferences.schemas.js';

const onePreference = {
  tag: 'Panel',
  path: 'panel/preferences/:key',
  access: 'signed-in',
  scope: 'admin',
  isDocumented: false,
  params: preferenceParams,
} as const;

const get = declareOperation({
  ...onePreference,
  id: 'getPreference',
  method: 'GET',
  summary: 'Get a preference of the caller',
  response: preferenceSchema,
  errors: ['NOT_FOUND'],
});

const set = declareOperation({
  ...onePreference,
  id: 'setPreference',
  method: 'PUT',
  summary: 'Store a preference of the caller',
  body: preferenceBody,
  response: preferenceSchema,
});

const remove = declareOperation({
  ...onePreference,
  id: 'deletePreference',
  method: 'DELETE',
  summary: 'Delete a preference of the caller',
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** What the admin panel stores for a user, on all devices; not in the OpenAPI document. */
@Controller()
export class PreferencesController {
  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getPreference(ctx, params.key);
  }

  @Operation(set)
  set(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof set>) {
    return setPreference(ctx, params.key, body.value);
  }

  @Operation(remove)
  async remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    await deletePreference(ctx, params.key);
    return { deleted: true };
  }
}
