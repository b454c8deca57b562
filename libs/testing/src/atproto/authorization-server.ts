import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type Adapter, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider';

/** Deviations of the server from the protocol. */
export interface Misbehaviour {
  /** The user declines. */
  denies?: boolean;
  /** The DID that the tokens name. */
  subject?: string;
  /** The scope that the tokens name. */
  scope?: string;
  /** The parameter `iss` of the callback; null: absent. */
  iss?: string | null;
}

export interface AuthorizationServerOptions {
  issuer: string;
  /** Reads the metadata document of a client. */
  readClient: (clientId: string) => Promise<Record<string, unknown> | undefined>;
  /** Returns the account for a login hint. */
  accountFor: (loginHint: string) => string | undefined;
  misbehaviour: () => Misbehaviour;
}

export interface AuthorizationServer {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Number of revoked tokens. */
  revocations(): number;
}

const lifetime = 600;
const interactionPath = '/interaction/';

/**
 * An authorization server of the protocol on oidc-provider, which is strict about its input: it requires pushed
 * requests, PKCE, and DPoP with its nonces, and checks every proof. Users agree immediately.
 */
export function authorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const provider = openProvider(options);
  let revocations = 0;
  provider.use(async (plain, next) => {
    await next();
    const context = plain as KoaContextWithOIDC;
    if (context.path === '/token/revocation' && context.status === 200) revocations += 1;
    if (context.path === '/token' && context.status === 200) changeGrant(context, options.misbehaviour());
    changeIssuer(context, options.misbehaviour());
  });
  const callback = provider.callback();

  return {
    revocations: () => revocations,
    async handle(request, response) {
      if (!request.url?.startsWith(interactionPath)) return callback(request, response);
      const { params } = await provider.interactionDetails(request, response);
      const accountId = options.accountFor(String(params.login_hint));
      const isDenied = options.misbehaviour().denies === true || accountId === undefined;
      const result = isDenied ? { error: 'access_denied' } : { login: { accountId }, consent: {} };
      await provider.interactionFinished(request, response, result);
    },
  };
}

function openProvider({ issuer, readClient }: AuthorizationServerOptions): Provider {
  const provider = new Provider(issuer, {
    adapter: adapterOver(readClient),
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: ['atproto'],
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
      pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
      revocation: { enabled: true, allowedPolicy: () => true },
    },
    ttl: { AccessToken: lifetime, Grant: lifetime, Interaction: lifetime, Session: lifetime },
    discovery: { client_id_metadata_document_supported: true },
    interactions: { url: (_, interaction) => `${interactionPath}${interaction.uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope('atproto');
      await grant.save();
      return grant;
    },
  });
  // It runs behind the fake network, whose headers name the requested host.
  provider.proxy = true;
  return provider;
}

/** The protocol's addition to token responses: their account. */
function changeGrant(context: KoaContextWithOIDC, { subject, scope }: Misbehaviour): void {
  const response = context.body as Record<string, unknown>;
  response.sub = subject ?? context.oidc.account?.accountId;
  if (scope !== undefined) response.scope = scope;
}

function changeIssuer(context: KoaContextWithOIDC, { iss }: Misbehaviour): void {
  const location = context.response.get('location');
  if (iss === undefined || !location || !URL.canParse(location)) return;
  const url = new URL(location);
  if (!url.searchParams.has('code')) return;
  if (iss === null) url.searchParams.delete('iss');
  else url.searchParams.set('iss', iss);
  context.set('location', url.href);
}

/** All data in memory, except clients, which are read from their metadata documents. */
function adapterOver(readClient: AuthorizationServerOptions['readClient']): (name: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  return (name) => {
    const key = (id: string) => `${name}:${id}`;
    const findBy = async (field: 'uid' | 'userCode', value: string) =>
      [...stored].find(([id, payload]) => id.startsWith(key('')) && payload[field] === value)?.[1];
    return {
      upsert: async (id, payload) => void stored.set(key(id), payload),
      find: async (id) => (name === 'Client' ? await readClient(id) : stored.get(key(id))),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (userCode) => findBy('userCode', userCode),
      async consume(id) {
        const payload = stored.get(key(id));
        if (payload) stored.set(key(id), { ...payload, consumed: Math.floor(Date.now() / 1000) });
      },
      destroy: async (id) => void stored.delete(key(id)),
      async revokeByGrantId(grantId) {
        for (const [id, payload] of stored) if (payload.grantId === grantId) stored.delete(id);
      },
    };
  };
}
