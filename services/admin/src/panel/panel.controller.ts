import { randomBytes } from 'node:crypto';
import { Controller, Req, Res } from '@nestjs/common';
import type { Principal } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { CurrentPrincipal } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { can } from '@quire/permissions';
import { loginPath, pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { indexPageHeaders, panelAssetsPath, renderIndexPage } from './index-page.js';
import { negotiate, readPanelFiles } from './panel-files.js';

const nonceBytes = 16;

const showPanel = declareOperation({
  ...pageOperation,
  id: 'showPanel',
  method: 'GET',
  path: pagePaths.panel,
  summary: 'Start the admin panel',
  response: z.string(),
});

/** The panel's router finds the screen of a path. */
const showPanelScreen = declareOperation({
  ...showPanel,
  id: 'showPanelScreen',
  path: `${pagePaths.panel}/*`,
  summary: 'Start the admin panel at a screen',
});

const readPanelAsset = declareOperation({
  ...pageOperation,
  id: 'readPanelAsset',
  method: 'GET',
  path: `${panelAssetsPath(':build')}/:name`,
  summary: 'Get a script or stylesheet of the admin panel',
  params: z.object({ build: z.string(), name: z.string() }),
  response: z.unknown(),
});

/** Serves the admin panel: one page for all of its paths, and the files of its build. */
@Controller()
export class PanelController {
  @Operation(readPanelAsset)
  async readPanelAsset(
    @Input() { params: { name } }: InputOf<typeof readPanelAsset>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<undefined> {
    // Names contain a hash: during a deployment, a file that another build also has is the same one.
    const file = readPanelFiles().files.get(name);
    if (!file) throw notFound('file');
    const { bytes, coding } = negotiate(file, request.headers['accept-encoding']);
    await reply
      .type(file.type)
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        vary: 'accept-encoding',
        ...(coding !== undefined && { 'content-encoding': coding }),
      })
      .send(bytes);
    return undefined;
  }

  @Operation(showPanel)
  showPanel(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    return this.index(principal, request, reply);
  }

  @Operation(showPanelScreen)
  showPanelScreen(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    return this.index(principal, request, reply);
  }

  /** @throws QuireError INSUFFICIENT_PERMISSIONS for users who cannot read drafts. */
  private async index(
    principal: Principal,
    { url }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    // A token does not sign in to pages.
    if (principal.kind !== 'session') return redirectTo(reply, loginPath(url));
    if (!can(principal, 'content:read_drafts'))
      throw new QuireError(
        'INSUFFICIENT_PERMISSIONS',
        'The admin panel is for contributors and higher roles',
      );
    const nonce = randomBytes(nonceBytes).toString('base64url');
    void reply.headers(indexPageHeaders(nonce));
    return renderIndexPage(readPanelFiles(), nonce);
  }
}
