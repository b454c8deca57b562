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
  crossOriginHeaders: ['Content-Type', 'MCP-Protocol-Version'],
  underEdgeAccess: 'public',
  response: z.object({}),
} as const;
const cachedForAnHour = 'public, max-age=3600';

const resource = declareOperation({
  ...shared,
  id: 'oauthProtectedResource',
  path: '/.well-known/oauth-protected-resource',
  summary: 'Get the metadata of the protected resource',
});

const resourceByPath = declareOperation({
  ...shared,
  id: 'oauthProtectedResourceByPath',
  path: '/.well-known/oauth-protected-resource/_cms/api/mcp',
  summary: 'Get the metadata of the protected resource, by its path',
});

const server = declareOperation({
  ...shared,
  id: 'oauthAuthorizationServer',
  path: '/.well-known/oauth-authorization-server/_cms',
  summary: 'Get the metadata of the authorization server',
});

const methods = declareOperation({
  ...shared,
  id: 'signInMethods',
  path: '/_cms/.well-known/auth',
  summary: 'Get the sign-in methods',
});

/** Discovery documents (contract 34). */
@Controller()
export class OAuthDiscoveryController {
  constructor(
    private readonly settings: SiteSettings,
    private readonly signInMode: SignInMode,
  ) {}

  @Operation(resource)
  @Header('cache-control', cachedForAnHour)
  oauthProtectedResource(@Ctx() ctx: Context) {
    return protectedResource(ctx.origin ?? '');
  }

  @Operation(resourceByPath)
  @Header('cache-control', cachedForAnHour)
  oauthProtectedResourceByPath(@Ctx() ctx: Context) {
    return protectedResource(ctx.origin ?? '');
  }

  @Operation(server)
  @Header('cache-control', cachedForAnHour)
  oauthAuthorizationServer(@Ctx() ctx: Context) {
    return authorizationServer(ctx.origin ?? '', this.signInMode);
  }

  @Operation(methods)
  @Header('cache-control', 'no-store')
  async signInMethods(@Ctx() ctx: Context) {
    return signInMethodsDocument(await this.settings.title(ctx), this.signInMode);
  }
}
