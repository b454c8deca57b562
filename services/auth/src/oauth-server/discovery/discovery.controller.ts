import { Controller, Header } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { z } from 'zod';
import { SignInMode } from '../../authentication/sign-in-mode.js';
import { SiteSettings } from '../../registration/setup/index.js';
import { authorizationServer, protectedResource, signInMethodsDocument } from './documents.js';

const shared = {
  method: 'GET',
  tag: 'OAuth',
  access: 'public',
  scope: null,
  isDocumented: false,
  envelope: false,
  crossOrigin: true,
  underEdgeAccess: 'public',
  response: z.object({}),
} as const;
const forAnHour = 'public, max-age=3600';

const resource = declareOperation({
  ...shared,
  id: 'oauthProtectedResource',
  path: '/.well-known/oauth-protected-resource',
  summary: 'The resource that tokens are for',
});

const resourceByPath = declareOperation({
  ...shared,
  id: 'oauthProtectedResourceByPath',
  path: '/.well-known/oauth-protected-resource/_cms/api/mcp',
  summary: 'The same, where clients look that know the path of the resource',
});

const server = declareOperation({
  ...shared,
  id: 'oauthAuthorizationServer',
  path: '/.well-known/oauth-authorization-server/_cms',
  summary: 'Where applications ask for access',
});

const methods = declareOperation({
  ...shared,
  id: 'signInMethods',
  path: '/_cms/.well-known/auth',
  summary: 'How one signs in here',
});

/** Discovery documents (contract 34). */
@Controller()
export class OAuthDiscoveryController {
  constructor(
    private readonly settings: SiteSettings,
    private readonly signInMode: SignInMode,
  ) {}

  @Operation(resource)
  @Header('cache-control', forAnHour)
  oauthProtectedResource(@Ctx() ctx: Context) {
    return protectedResource(ctx.origin ?? '');
  }

  @Operation(resourceByPath)
  @Header('cache-control', forAnHour)
  oauthProtectedResourceByPath(@Ctx() ctx: Context) {
    return protectedResource(ctx.origin ?? '');
  }

  @Operation(server)
  @Header('cache-control', forAnHour)
  oauthAuthorizationServer(@Ctx() ctx: Context) {
    return authorizationServer(ctx.origin ?? '', this.signInMode);
  }

  @Operation(methods)
  @Header('cache-control', 'no-store')
  async signInMethods(@Ctx() ctx: Context) {
    return signInMethodsDocument(await this.settings.title(ctx), this.signInMode);
  }
}
