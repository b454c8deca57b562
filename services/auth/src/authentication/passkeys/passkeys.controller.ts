import { Controller, Headers } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { CacheInvalidationBus } from '@quire/jobs';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { setSessionCookie } from '../sessions/index.js';
import { verifyPasskeyLogin } from './operations/verify-passkey-login.js';
import { reauthenticate, startReauthentication } from './operations/reauthenticate.js';
import { startPasskeyLogin } from './operations/start-passkey-login.js';
import { PasskeyDeps } from './passkey-deps.js';
import {
  addPasskey,
  listOwnPasskeys,
  removePasskey,
  renamePasskey,
  startAddingPasskey,
} from './passkeys.operations.js';
import {
  authenticationCredential,
  authenticationOptions,
  passkeyName,
  passkeySchema,
  registrationCredential,
  registrationOptions,
  signedInResponse,
} from './passkeys.schemas.js';

const shared = { tag: 'Authentication', scope: null, isDocumented: false } as const;
const publicPost = { ...shared, method: 'POST', access: 'public' } as const;
const own = { ...shared, access: 'session' } as const;
const onePasskey = {
  ...own,
  path: 'auth/passkey/:id',
  params: z.object({ id: z.string().regex(/^[0-9A-Za-z]{1,64}$/) }),
} as const;

const loginOptions = declareOperation({
  ...publicPost,
  id: 'startPasskeyLogin',
  path: 'auth/passkey/options',
  availableDuringImport: true,
  summary: 'Start signing in with a passkey',
  body: z.object({ email: z.string().max(300).optional() }),
  bodyIsOptional: true,
  response: z.object({ success: z.literal(true), options: authenticationOptions }),
  errors: ['RATE_LIMITED'],
});

const login = declareOperation({
  ...publicPost,
  id: 'verifyPasskeyLogin',
  path: 'auth/passkey/verify',
  availableDuringImport: true,
  summary: 'Sign in with a passkey',
  body: z.object({ credential: authenticationCredential }),
  response: signedInResponse,
  errors: ['UNAUTHORIZED', 'ACCOUNT_DISABLED'],
});

const list = declareOperation({
  ...own,
  id: 'listOwnPasskeys',
  method: 'GET',
  path: 'auth/passkey',
  summary: "List the caller's passkeys, oldest first",
  response: z.object({ items: z.array(passkeySchema) }),
});

const reauthenticationOptions = declareOperation({
  ...own,
  id: 'startReauthentication',
  method: 'POST',
  path: 'auth/passkey/reauthenticate/options',
  availableDuringImport: true,
  summary: 'Start reauthentication with a passkey',
  response: z.object({ options: authenticationOptions }),
  errors: ['REAUTHENTICATION_REQUIRED'],
});

const reauthentication = declareOperation({
  ...own,
  id: 'reauthenticate',
  method: 'POST',
  path: 'auth/passkey/reauthenticate/verify',
  availableDuringImport: true,
  summary: 'Reauthenticate with a passkey',
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
  summary: 'Start adding a passkey',
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

/** Sign-in and reauthentication with passkeys, and the caller's own passkeys (contract 27). */
@Controller()
export class PasskeysController {
  constructor(
    private readonly deps: PasskeyDeps,
    private readonly relay: CacheInvalidationBus,
  ) {}

  @Operation(loginOptions)
  async loginOptions(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof loginOptions>) {
    return { success: true, options: await startPasskeyLogin(ctx, this.deps, body.email) };
  }

  @Operation(login)
  async login(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof login>,
    @RequestCookies() cookies: Cookies,
    @Headers('user-agent') userAgent: string | undefined,
  ) {
    const { user, session } = await verifyPasskeyLogin(ctx, this.deps, { ...body, userAgent });
    setSessionCookie(cookies, session);
    return { success: true, user };
  }

  @Operation(list)
  async listOwnPasskeys(@Ctx() ctx: Context) {
    return { items: await listOwnPasskeys(ctx) };
  }

  @Operation(reauthenticationOptions)
  async reauthenticationOptions(@Ctx() ctx: Context) {
    return { options: await startReauthentication(ctx, this.deps) };
  }

  @Operation(reauthentication)
  async reauthenticate(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof reauthentication>,
    @RequestCookies() cookies: Cookies,
  ) {
    const deps = { ...this.deps, relay: this.relay };
    setSessionCookie(cookies, await reauthenticate(ctx, deps, body.credential));
    return { success: true };
  }

  @Operation(addOptions)
  async addOptions(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof addOptions>) {
    return { options: await startAddingPasskey(ctx, this.deps.parties, body.name) };
  }

  @Operation(add)
  async add(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof add>) {
    return { passkey: await addPasskey(ctx, this.deps, body) };
  }

  @Operation(rename)
  async rename(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof rename>) {
    return { passkey: await renamePasskey(ctx, this.deps, { ...params, ...body }) };
  }

  @Operation(remove)
  async remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    await removePasskey(ctx, { audit: this.deps.audit, relay: this.relay }, params.id);
    return { success: true };
  }
}
