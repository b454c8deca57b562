import { Controller, Header } from '@nestjs/common';
import type { Context } from '@quire/context';
import type { ErrorCode, QuireError } from '@quire/errors';
import { Ctx } from '@quire/http-server';
import {
  declareOperation,
  Input,
  Operation,
  type InputOf,
  type MappedErrorResponse,
  storableText,
} from '@quire/operation';
import { z } from 'zod';
import { authenticationCredential, PasskeyDeps } from '../../authentication/passkeys/index.js';
import { OAuthDeps } from '../oauth-deps.js';
import { noStoreHeaders, mapProtocolError } from '../protocol.js';
import { decideOAuthDevice } from './operations/decide-oauth-device.js';
import { pollOAuthDevice } from './device.operations.js';
import { startOAuthDevice } from './operations/start-oauth-device.js';

const shared = {
  method: 'POST',
  tag: 'OAuth',
  scope: null,
  isDocumented: false,
  availableDuringImport: true,
} as const;
const text = (maxLength: number) => storableText(z.string().max(maxLength));
const clientId = text(255).optional();

/** Errors of pending devices are at top level; all other errors have the envelope (contract 32). */
const stateCodes: readonly ErrorCode[] = [
  'AUTHORIZATION_PENDING',
  'SLOW_DOWN',
  'EXPIRED_TOKEN',
  'ACCESS_DENIED',
];
const toProtocolError = mapProtocolError('invalid_request');
const mapDeviceStateError = (error: QuireError): MappedErrorResponse | undefined =>
  stateCodes.includes(error.code) ? toProtocolError(error) : undefined;

const start = declareOperation({
  ...shared,
  id: 'startOAuthDevice',
  path: 'oauth/device/code',
  csrf: 'none',
  ignoresCredentials: true,
  summary: 'Start the authorization of a device',
  access: 'public',
  body: z.object({ client_id: clientId, scope: text(4096).optional() }),
  bodyIsOptional: true,
  bodyFormats: ['json', 'form'],
  envelope: false,
  response: z.object({ device_code: z.string() }),
  errors: ['INVALID_SCOPE', 'UNAUTHORIZED_CLIENT'],
});

const poll = declareOperation({
  ...shared,
  id: 'pollOAuthDevice',
  path: 'oauth/device/token',
  csrf: 'none',
  ignoresCredentials: true,
  summary: 'Poll for the tokens of a device',
  access: 'public',
  body: z.object({ device_code: text(500), grant_type: text(200), client_id: clientId }),
  bodyFormats: ['json', 'form'],
  envelope: false,
  mapError: mapDeviceStateError,
  response: z.object({ access_token: z.string() }),
  errors: ['INVALID_GRANT', 'UNSUPPORTED_GRANT_TYPE'],
});

const decide = declareOperation({
  ...shared,
  id: 'decideOAuthDevice',
  path: 'oauth/device/authorize',
  summary: 'Approve or deny a device',
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
    private readonly deps: OAuthDeps,
    private readonly passkeys: PasskeyDeps,
  ) {}

  @Operation(start)
  @Header('cache-control', noStoreHeaders['cache-control'])
  @Header('pragma', noStoreHeaders.pragma)
  async start(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof start>) {
    return withTopLevelCopy(
      await startOAuthDevice(ctx, this.deps, { clientId: body.client_id, scope: body.scope }),
    );
  }

  @Operation(poll)
  @Header('cache-control', noStoreHeaders['cache-control'])
  @Header('pragma', noStoreHeaders.pragma)
  async poll(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof poll>) {
    const { device_code: deviceCode, grant_type: grantType, client_id } = body;
    return withTopLevelCopy(
      await pollOAuthDevice(ctx, this.deps, { deviceCode, grantType, clientId: client_id }),
    );
  }

  @Operation(decide)
  async decide(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof decide>) {
    const { user_code: userCode, action, credential } = body;
    const deps = { oauth: this.deps, passkeys: this.passkeys };
    return { authorized: await decideOAuthDevice(ctx, deps, { userCode, action, credential }) };
  }
}

/** Repeats the data of the envelope at top level, for clients that implement only the RFC (contract 34). */
function withTopLevelCopy<Data extends object>(data: Data) {
  return { success: true, data, ...data };
}
