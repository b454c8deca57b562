import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { ActivationServices } from './activation-services.js';
import {
  activationSchema,
  advanceActivationAnswer,
  advanceActivationBody,
  advanceProgressAnswer,
  progressSchema,
} from './activation.schemas.js';
import { advanceActivation } from './operations/advance-activation.js';
import { advanceProgress } from './operations/advance-progress.js';
import { getActivation, getProgress } from './operations/get-activation.js';

const shared = { tag: 'Media usage', access: 'schema:manage', scope: 'admin' } as const;
const advancing = [
  'MEDIA_USAGE_ACTIVATION_BUSY',
  'MEDIA_USAGE_ACTIVATION_CONFLICT',
  'MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH',
  'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR',
] as const;

const read = declareOperation({
  ...shared,
  id: 'getMediaUsageActivation',
  method: 'GET',
  path: 'admin/media-usage/activation',
  summary: 'Whether changes of media references are tracked',
  response: activationSchema,
  errors: ['MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH'],
});

const advance = declareOperation({
  ...shared,
  id: 'advanceMediaUsageActivation',
  method: 'POST',
  path: 'admin/media-usage/activation',
  summary: 'Start tracking changes of media references, or take the next step of it',
  body: advanceActivationBody,
  response: advanceActivationAnswer,
  errors: advancing,
});

const readProgress = declareOperation({
  ...shared,
  id: 'getMediaUsageProgress',
  method: 'GET',
  path: 'admin/media-usage/progress',
  summary: 'How much of the site is in the index of media usage',
  response: progressSchema,
  errors: [
    'MEDIA_USAGE_ACTIVATION_CONFLICT',
    'MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH',
    'MEDIA_USAGE_ACTIVATION_READ_ERROR',
  ],
});

const advanceOneStep = declareOperation({
  ...shared,
  id: 'advanceMediaUsageProgress',
  method: 'POST',
  path: 'admin/media-usage/progress',
  summary: 'Take the next step of the activation or of the index of what was written before it',
  body: z.strictObject({}),
  bodyIsOptional: true,
  response: advanceProgressAnswer,
  errors: advancing,
});

/** Begins to track where media are used (document 1, Media usage activation; contract 13). */
@Controller()
export class ActivationController {
  constructor(private readonly services: ActivationServices) {}

  @Operation(read)
  read(@Ctx() ctx: Context) {
    return getActivation(ctx);
  }

  @Operation(advance)
  advance(@Ctx() ctx: Context, @Input() _: InputOf<typeof advance>) {
    return advanceActivation(ctx, this.services);
  }

  @Operation(readProgress)
  readProgress(@Ctx() ctx: Context) {
    return getProgress(ctx, this.services);
  }

  @Operation(advanceOneStep)
  advanceOneStep(@Ctx() ctx: Context, @Input() _: InputOf<typeof advanceOneStep>) {
    return advanceProgress(ctx, this.services);
  }
}
