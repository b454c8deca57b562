import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import type { RouteResponse } from '@quire/login-providers';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { handleProviderRoute, type RouteCall } from './operations/handle-provider-route.js';
import { ProviderDeps } from './provider-deps.js';
import { providerQuery, routeParams } from './providers.schemas.js';

const shared = {
  path: 'auth/oauth/:provider/*',
  tag: 'Authentication',
  // `handleProviderRoute` requires a session for paths that the provider does not declare public.
  access: 'public',
  scope: null,
  isDocumented: false,
  envelope: false,
  params: routeParams,
  query: providerQuery,
  response: z.unknown(),
  errors: ['NOT_FOUND'],
} as const;

const read = declareOperation({
  ...shared,
  id: 'readProviderRoute',
  method: 'GET',
  summary: "Get a response of a login provider's own route",
});

const send = declareOperation({
  ...shared,
  id: 'sendProviderRoute',
  method: 'POST',
  availableDuringImport: true,
  summary: "Send data to a login provider's own route",
  body: z.unknown(),
  bodyIsOptional: true,
  bodyFormats: ['json', 'form'],
});

/** The providers' own routes, such as client metadata (spec document 1, Login methods 4). */
@Controller()
export class ProviderRoutesController {
  constructor(private readonly deps: ProviderDeps) {}

  @Operation(read)
  async readProviderRoute(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOf<typeof read>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.respond(ctx, reply, { params, method: 'GET', query, body: undefined });
  }

  @Operation(send)
  async sendProviderRoute(
    @Ctx() ctx: Context,
    @Input() { params, query, body }: InputOf<typeof send>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.respond(ctx, reply, { params, method: 'POST', query, body });
  }

  private async respond(
    ctx: Context,
    reply: FastifyReply,
    {
      params,
      ...call
    }: Pick<RouteCall, 'method' | 'query' | 'body'> & { params: z.output<typeof routeParams> },
  ): Promise<RouteResponse['body']> {
    const route = { providerId: params.provider, path: params['*'] };
    const {
      status,
      headers = {},
      body = '',
    } = await handleProviderRoute(ctx, this.deps.providers, { ...route, ...call });
    void reply.status(status).headers(headers);
    return body;
  }
}
