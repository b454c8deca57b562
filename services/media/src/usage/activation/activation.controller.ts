import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { ActivationService } from './activation-service.js';
import {
  activationSchema,
  advanceActivationResponse,
  advanceActivationBody,
  advanceProgressResponse,
  progressSchema,
} from './activation.schemas.js';
import {
  advanceMediaUsageActivation,
  advanceMediaUsageProgress,
  getMediaUsageActivation,
  getMediaUsageProgress,
} from './activation.operations.js';

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
  summary: 'Get the state of media usage activation',
  response: activationSchema,
  errors: ['MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH'],
});

const advance = declareOperation({
  ...shared,
  id: 'advanceMediaUsageActivation',
  method: 'POST',
  path: 'admin/media-usage/activation',
  summary: 'Start the activation of media usage, or take its next step',
  body: advanceActivationBody,
  response: advanceActivationResponse,
  errors: advancing,
});

const readProgress = declareOperation({
  ...shared,
  id: 'getMediaUsageProgress',
  method: 'GET',
  path: 'admin/media-usage/progress',
  summary: 'Get the progress of the media usage index',
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
  summary: 'Take the next step of the activation, or of the indexing of earlier content',
  body: z.strictObject({}),
  bodyIsOptional: true,
  response: advanceProgressResponse,
  errors: advancing,
});

/** Activation of media usage tracking (document 1, Media usage activation; contract 13). */
@Controller()
export class ActivationController {
  constructor(private readonly deps: ActivationService) {}

  @Operation(read)
  read(@Ctx() ctx: Context) {
    return getMediaUsageActivation(ctx);
  }

  @Operation(advance)
  advance(@Ctx() ctx: Context, @Input() _: InputOf<typeof advance>) {
    return advanceMediaUsageActivation(ctx, this.deps);
  }

  @Operation(readProgress)
  readProgress(@Ctx() ctx: Context) {
    return getMediaUsageProgress(ctx, this.deps);
  }

  @Operation(advanceOneStep)
  advanceOneStep(@Ctx() ctx: Context, @Input() _: InputOf<typeof advanceOneStep>) {
    return advanceMediaUsageProgress(ctx, this.deps);
  }
}
