/**
 * A way to sign in with an external account (spec document 1, Login methods 4). A package offers one by exporting a
 * function that makes this object, and a site by listing it in `authProviders` of cms.config.mjs.
 *
 * Quire does what all of them have in common: it makes the `state`, keeps it for ten minutes, accepts it once, from the
 * browser that got it, and decides who the account belongs to. A provider knows its protocol and nothing of users.
 *
 * The browser's way: `GET /_cms/api/auth/oauth/{id}` calls `begin` and goes where that says. The account's server sends
 * it to `context.callbackUrl` with `state` in the query; that calls `complete`, which says whose account it is.
 *
 * Its functions must not need `this`.
 */
export interface LoginProvider {
  /**
   * Names it in addresses, in the database and in variables: lower-case letters, digits and dashes. Never change it.
   */
  readonly id: string;
  /** What people know it by: "GitHub". */
  readonly label: string;
  /** Form on the login page. Without it the page shows only a button; providers with forms come after buttons. */
  readonly form?: LoginForm;
  /**
   * Names of the variables that it cannot do without, such as `CLIENT_ID`. Each is read from
   * `CMS_OAUTH_{PROVIDER}_{NAME}`, else from `{PROVIDER}_{NAME}`, where PROVIDER is the id in upper case with `_` for
   * `-`. A provider that lacks one is not offered.
   */
  readonly environment?: readonly string[];
  /** Whether the first user of a site may come with it: then the setup offers it too. */
  readonly setup?: boolean;
  /** What it keeps: collections by name, which `context.storage` opens. */
  readonly storage?: Readonly<Record<string, StorageOptions>>;
  /** Addresses of its own below `/_cms/api/auth/oauth/{id}/`. */
  readonly routes?: readonly ProviderRoute[];
  /** Prefixes of public paths among `routes`: `['client-metadata.json', 'public/']`. All others require a session. */
  readonly publicPrefixes?: readonly string[];

  /**
   * Begins a login. It stores nothing by itself: what `complete` needs again (a PKCE verifier, a nonce) it returns as
   * `kept`.
   * @throws LoginProviderError; anything else is told as `oauth_error`.
   */
  readonly begin: (context: ProviderContext, request: BeginRequest) => Promise<LoginStart>;

  /**
   * Finishes a login. `state` has been checked, and the callback carries no `error`.
   * @throws LoginProviderError; anything else is told as `oauth_error`.
   */
  readonly complete: (context: ProviderContext, request: CompleteRequest) => Promise<ProviderIdentity>;
}

/** The one text field that a provider's form has. */
export interface LoginForm {
  readonly field: {
    /** Under which `begin` finds it in the query. */
    readonly name: string;
    readonly label: string;
    readonly placeholder?: string;
  };
}

/** What a provider works with during one request. */
export interface ProviderContext {
  /** Where the browser reaches the site: "https://example.com". */
  readonly origin: string;
  /** Where the account's server has to send the browser. */
  readonly callbackUrl: string;
  /** The address below which the provider's routes are, without a slash at the end. */
  readonly routesUrl: string;
  /** The values of `environment`, by the names given there. */
  readonly variables: Readonly<Record<string, string>>;
  /** Opens a collection that `storage` declares. */
  readonly storage: (collection: string) => ProviderStore;
  /** Fetches, bounded in time and in the size of the answer. It follows no redirects. */
  readonly fetch: typeof globalThis.fetch;
}

/** Parameters of an address; of one that comes twice, the last. */
export type Query = Readonly<Record<string, string>>;

export interface BeginRequest {
  /** What the browser came with, the form's field among it; `invite` and `redirect` are Quire's and left out. */
  readonly query: Query;
  /** What the callback has to carry as `state`. */
  readonly state: string;
}

/** Where to send the browser. */
export interface LoginStart {
  readonly url: string | URL;
  /** Handed to `complete` as it is. It stays on the server; 16 KiB of JSON at most. */
  readonly kept?: Readonly<Record<string, Json>>;
}

export interface CompleteRequest {
  readonly query: Query;
  readonly state: string;
  /** What `begin` returned; an empty object when it returned nothing. */
  readonly kept: Readonly<Record<string, Json>>;
}

/** Whose account it is. */
export interface ProviderIdentity {
  /** Permanent id of the account: neither a login name nor an address, which may change their owner. */
  readonly accountId: string;
  /**
   * The account's e-mail address. Only one that the provider has verified makes a login that of an existing user; say
   * `isVerified: true` for nothing less. Null where accounts have none: those are identified only by their id.
   */
  readonly email: { readonly address: string; readonly isVerified: boolean } | null;
  readonly name: string | null;
}

export interface StorageOptions {
  /** After how many seconds a document is gone, unless `set` says otherwise. */
  readonly lifetimeSeconds: number;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * Small documents by key, kept in PostgreSQL for one site, one provider and one collection; every process sees the
 * same. Keys have 500 characters at most, documents 64 KiB of JSON.
 */
export interface ProviderStore {
  /** The document; undefined when there is none, or its time is over. */
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json, options?: StorageOptions): Promise<void>;
  delete(key: string): Promise<void>;
  /** Gets a document and deletes it: of several who take one at once, one gets it. */
  take(key: string): Promise<Json | undefined>;
}

/** An address of the provider's own: metadata of the client, a webhook. */
export interface ProviderRoute {
  readonly method: 'GET' | 'POST';
  /** Below `/_cms/api/auth/oauth/{id}/`, as in "client-metadata.json". */
  readonly path: string;
  readonly handle: (
    context: ProviderContext,
    request: RouteRequest,
  ) => Promise<RouteResponse> | RouteResponse;
}

export interface RouteRequest {
  readonly query: Query;
  /** Of a POST: parsed JSON, or the fields of a form; an empty object when there was no body. */
  readonly body: unknown;
}

export interface RouteResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out as `headers` say; anything else as JSON. */
  readonly body?: string | Json;
}
