import { Controller, Header } from '@nestjs/common';
import type { Context } from '@quire/context';
import type { ErrorCode, QuireError } from '@quire/errors';
import { Ctx } from '@quire/http-server';
import {
  declareOperation,
  Input,
  Operation,
  type InputOf,
  type Refusal,
  storableText,
} from '@quire/operation';
import { z } from 'zod';
import { authenticationCredential, PasskeyServices } from '../../passkeys/index.js';
import { OAuthServices } from '../oauth-services.js';
import { neverStored, protocolRefusal } from '../protocol.js';
import { decideDevice } from './operations/decide-device.js';
import { pollDevice } from './operations/poll-device.js';
import { startDevice } from './operations/start-device.js';

const shared = { method: 'POST', tag: 'OAuth', scope: null, documented: false } as const;
const text = (maximum: number) => storableText(z.string().max(maximum));
const clientId = text(255).optional();

/** Whether a device is let in yet, is told at top level; all other failures have the envelope (contract 32). */
const stateCodes: readonly ErrorCode[] = [
  'AUTHORIZATION_PENDING',
  'SLOW_DOWN',
  'EXPIRED_TOKEN',
  'ACCESS_DENIED',
];
const protocolAnswer = protocolRefusal('invalid_request');
const stateRefusal = (error: QuireError): Refusal | undefined =>
  stateCodes.includes(error.code) ? protocolAnswer(error) : undefined;

const start = declareOperation({
  ...shared,
  id: 'startOAuthDevice',
  path: 'oauth/device/code',
  summary: 'Codes for a device that has no browser',
  access: 'public',
  body: z.object({ client_id: clientId, scope: text(4096).optional() }),
  bodyIsOptional: true,
  bodyFormats: ['json', 'form'],
  bare: true,
  response: z.object({ device_code: z.string() }),
  errors: ['INVALID_SCOPE', 'UNAUTHORIZED_CLIENT'],
});

const poll = declareOperation({
  ...shared,
  id: 'pollOAuthDevice',
  path: 'oauth/device/token',
  summary: 'Tokens for a device that a user has let in',
  access: 'public',
  body: z.object({ device_code: text(500), grant_type: text(200), client_id: clientId }),
  bodyFormats: ['json', 'form'],
  bare: true,
  refusal: stateRefusal,
  response: z.object({ access_token: z.string() }),
  errors: ['INVALID_GRANT', 'UNSUPPORTED_GRANT_TYPE'],
});

const decide = declareOperation({
  ...shared,
  id: 'decideOAuthDevice',
  path: 'oauth/device/authorize',
  summary: 'Let a device in, or turn it away',
  access: 'session',
  body: z.object({
    user_code: text(100),
    action: z.enum(['approve', 'deny']).default('approve'),
    credential: authenticationCredential.optional(),
  }),
  response: z.object({ authorized: z.boolean() }),
  errors: ['INVALID_CODE', 'EXPIRED_CODE', 'INSUFFICIENT_ROLE', 'REAUTHENTICATION_REQUIRED', 'UNAUTHORIZED'],
});

/** Devices without a browser (RFC 8628; contract 32). */
@Controller()
export class OAuthDeviceController {
  constructor(
    private readonly services: OAuthServices,
    private readonly passkeys: PasskeyServices,
  ) {}

  @Operation(start)
  @Header('cache-control', neverStored['cache-control'])
  @Header('pragma', neverStored.pragma)
  async start(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof start>) {
    return twice(await startDevice(ctx, this.services, { clientId: body.client_id, scope: body.scope }));
  }

  @Operation(poll)
  @Header('cache-control', neverStored['cache-control'])
  @Header('pragma', neverStored.pragma)
  async poll(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof poll>) {
    const { device_code: deviceCode, grant_type: grantType, client_id } = body;
    return twice(await pollDevice(ctx, this.services, { deviceCode, grantType, clientId: client_id }));
  }

  @Operation(decide)
  async decide(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof decide>) {
    const { user_code: userCode, action, credential } = body;
    const services = { oauth: this.services, passkeys: this.passkeys };
    return { authorized: await decideDevice(ctx, services, { userCode, action, credential }) };
  }
}

/** The envelope with its data repeated at top level, where a client that follows the RFC alone looks (contract 34). */
function twice<Data extends object>(data: Data) {
  return { success: true, data, ...data };
}
