import { edgeAudience } from '@quire/config';
import {
  AuthQuestions,
  CredentialAuthentication,
  EdgeAccess,
  EdgeAuthentication,
  EdgeDoor,
  EdgeSessions,
  Gateway,
  GatewayModule,
  type DocumentOptions,
} from '@quire/gateway-service';
import { createServiceApp, localDoor, type ServiceDoor } from '@quire/http-server';
import type { RequestHandler } from '@quire/runtime';
import type { Installation, ServiceName } from '../installation.js';
import { documentOf, documentOptionsOf } from './openapi-document.js';
import { publicAddressOf } from './public-origin.js';

/** Services that the gateway stands before. */
const services: readonly ServiceName[] = ['auth', 'content', 'media', 'search'];

/** Starts the public door. @returns what handles the requests of the process. */
export async function startGateway(installation: Installation): Promise<RequestHandler> {
  const { logger, metrics, signer, verifier, lifecycle, environment, site } = installation;
  const doors = new Map<string, ServiceDoor>(
    services.map((service) => [service, installation.door(service)]),
  );
  const publicAddress = publicAddressOf(installation);
  const app = await createServiceApp({
    service: 'gateway',
    module: GatewayModule.with(
      documentOnce(
        services.map((service) => installation.door(service)),
        documentOptionsOf(installation),
      ),
    ),
    logger,
    verifier,
    tenantDatabase: () => {
      throw new Error('The gateway has no data of its own');
    },
  });
  lifecycle.started('gateway', () => app.close());
  doors.set('gateway', localDoor('gateway', app));
  const credentials = new CredentialAuthentication(installation.door('auth'));
  const edge = edgeDoor(installation, credentials);
  const forget = (tenantId?: string) => {
    credentials.drop(tenantId);
    edge?.drop(tenantId);
  };
  const relay = await installation.relay();
  await relay.onDrop('credentials', forget);
  relay.onGap(() => forget());
  const gateway = new Gateway({
    registry: await installation.registry(),
    credentials,
    edge,
    signer,
    doors,
    publicAddress,
    trustedProxies: {
      headers: environment.CMS_TRUSTED_PROXY_HEADERS ?? site.trustedProxyHeaders ?? [],
      hops: environment.CMS_TRUSTED_PROXY_HOPS,
    },
    logger,
    metrics,
  });
  return (request, response) => void gateway.handle(request, response);
}

/**
 * What stands beside an edge access proxy, where the site's configuration names one.
 * @throws ConfigurationError when no audience is known.
 */
function edgeDoor(installation: Installation, credentials: CredentialAuthentication): EdgeDoor | undefined {
  const options = installation.site.auth;
  if (!options) return undefined;
  const questions = new AuthQuestions(installation.door('auth'));
  const access = new EdgeAccess(options, edgeAudience(options));
  const sessions = new EdgeSessions(credentials, questions);
  const authentication = new EdgeAuthentication(access, options, questions, sessions);
  return new EdgeDoor(authentication, credentials);
}

/** Puts the OpenAPI document together at the first request; a failure is not remembered. */
function documentOnce(doors: readonly ServiceDoor[], options: DocumentOptions): () => Promise<string> {
  let document: Promise<string> | undefined;
  return () => {
    document ??= documentOf(doors, options);
    document.catch(() => (document = undefined));
    return document;
  };
}
