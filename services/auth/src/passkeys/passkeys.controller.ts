import { Controller, Headers } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { CacheRelay } from '@quire/messages';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { setSessionCookie } from '../sessions/index.js';
import { addPasskey, startAddingPasskey } from './operations/add-passkey.js';
import { logIn } from './operations/log-in.js';
import { reauthenticate, startReauthentication } from './operations/reauthenticate.js';
import { removePasskey } from './operations/remove-passkey.js';
import { renamePasskey } from './operations/rename-passkey.js';
import { startLogin } from './operations/start-login.js';
import { PasskeyServices } from './passkey-services.js';
import { passkeysOf } from './passkeys.repository.js';
import {
  authenticationCredential,
  authenticationOptions,
  passkeyName,
  passkeySchema,
  registrationCredential,
  registrationOptions,
  signedInAnswer,
} from './passkeys.schemas.js';

const shared = { tag: 'Authentication', scope: null, documented: false } as const;
const forAnybody = { ...shared, method: 'POST', access: 'public' } as const;
const own = { ...shared, access: 'session' } as const;
const onePasskey = {
  ...own,
  path: 'auth/passkey/:id',
  params: z.object({ id: z.string().regex(/^[0-9A-Za-z]{1,64}$/) }),
} as const;

const loginOptions = declareOperation({
  ...forAnybody,
  id: 'startPasskeyLogin',
  path: 'auth/passkey/options',
  summary: 'Start signing in with a passkey',
  body: z.object({ email: z.string().max(300).optional() }),
  bodyIsOptional: true,
  response: z.object({ success: z.literal(true), options: authenticationOptions }),
  errors: ['RATE_LIMITED'],
});

const login = declareOperation({
  ...forAnybody,
  id: 'verifyPasskeyLogin',
  path: 'auth/passkey/verify',
  summary: 'Sign in with a passkey',
  body: z.object({ credential: authenticationCredential }),
  response: signedInAnswer,
  errors: ['UNAUTHORIZED', 'ACCOUNT_DISABLED'],
});

const list = declareOperation({
  ...own,
  id: 'listOwnPasskeys',
  method: 'GET',
  path: 'auth/passkey',
  summary: "The caller's passkeys, oldest first",
  response: z.object({ items: z.array(passkeySchema) }),
});

const reauthenticationOptions = declareOperation({
  ...own,
  id: 'startReauthentication',
  method: 'POST',
  path: 'auth/passkey/reauthenticate/options',
  summary: 'Start using a passkey while being signed in',
  response: z.object({ options: authenticationOptions }),
  errors: ['REAUTHENTICATION_REQUIRED'],
});

const reauthentication = declareOperation({
  ...own,
  id: 'reauthenticate',
  method: 'POST',
  path: 'auth/passkey/reauthenticate/verify',
  summary: 'Use a passkey in place of signing in again',
  body: z.object({ credential: authenticationCredential }),
  response: z.object({ success: z.literal(true) }),
  errors: ['UNAUTHORIZED'],
});

const addOptions = declareOperation({
  ...own,
  id: 'startAddingPasskey',
  method: 'POST',
  reauthentication: 'recent-session',
  path: 'auth/passkey/register/options',
  summary: 'Start making one more passkey',
  body: z.object({ name: passkeyName.optional() }),
  bodyIsOptional: true,
  response: z.object({ options: registrationOptions }),
  errors: ['PASSKEY_LIMIT'],
});

const add = declareOperation({
  ...own,
  id: 'addPasskey',
  method: 'POST',
  reauthentication: 'recent-session',
  path: 'auth/passkey/register/verify',
  summary: 'Add a passkey',
  body: z.object({ credential: registrationCredential, name: passkeyName.optional() }),
  response: z.object({ passkey: passkeySchema }),
  errors: ['PASSKEY_LIMIT', 'CREDENTIAL_EXISTS', 'CHALLENGE_EXPIRED'],
});

const rename = declareOperation({
  ...onePasskey,
  id: 'renamePasskey',
  method: 'PATCH',
  summary: "Rename one of the caller's passkeys",
  body: z.object({ name: passkeyName }),
  response: z.object({ passkey: passkeySchema }),
  errors: ['NOT_FOUND'],
});

const remove = declareOperation({
  ...onePasskey,
  id: 'removePasskey',
  method: 'DELETE',
  summary: "Remove one of the caller's passkeys",
  response: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND', 'LAST_PASSKEY'],
});

/** Signing in with passkeys, and the caller's own (contract 27). */
@Controller()
export class PasskeysController {
  constructor(
    private readonly services: PasskeyServices,
    private readonly relay: CacheRelay,
  ) {}

  @Operation(loginOptions)
  async loginOptions(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof loginOptions>) {
    return { success: true, options: await startLogin(ctx, this.services, body.email) };
  }

  @Operation(login)
  async login(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof login>,
    @RequestCookies() cookies: Cookies,
    @Headers('user-agent') userAgent: string | undefined,
  ) {
    const { user, session } = await logIn(ctx, this.services, { ...body, userAgent });
    setSessionCookie(cookies, session);
    return { success: true, user };
  }

  @Operation(list)
  async list(@Ctx() ctx: Context) {
    return { items: await passkeysOf(ctx.db, ctx.principal.userId) };
  }

  @Operation(reauthenticationOptions)
  async reauthenticationOptions(@Ctx() ctx: Context) {
    return { options: await startReauthentication(ctx, this.services) };
  }

  @Operation(reauthentication)
  async reauthenticate(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof reauthentication>,
    @RequestCookies() cookies: Cookies,
  ) {
    const services = { ...this.services, relay: this.relay };
    setSessionCookie(cookies, await reauthenticate(ctx, services, body.credential));
    return { success: true };
  }

  @Operation(addOptions)
  async addOptions(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof addOptions>) {
    return { options: await startAddingPasskey(ctx, this.services.parties, body.name) };
  }

  @Operation(add)
  async add(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof add>) {
    return { passkey: await addPasskey(ctx, this.services, body) };
  }

  @Operation(rename)
  async rename(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof rename>) {
    return { passkey: await renamePasskey(ctx, this.services, { ...params, ...body }) };
  }

  @Operation(remove)
  async remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    await removePasskey(ctx, { audit: this.services.audit, relay: this.relay }, params.id);
    return { success: true };
  }
}
