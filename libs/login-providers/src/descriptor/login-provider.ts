/**
 * A way to sign in with an external account (spec document 1, Login methods 4). A package offers one by exporting a
 * function that returns this object, and a site by listing it in `authProviders` of cms.config.mjs.
 *
 * Quire does the common part: it generates the `state`, stores it for ten minutes, accepts it once, from the same
 * browser, and finds the user of the account. A provider implements its protocol and has no access to users.
 *
 * The browser's way: `GET /_cms/api/auth/oauth/{id}` calls `begin` and redirects to its result. The account's server
 * redirects to `context.callbackUrl` with `state` in the query; that calls `complete`, which returns the account.
 *
 * Its functions must not need `this`.
 */
export interface LoginProvider {
  /** Name in addresses, in the database and in variables: lower-case letters, digits and dashes. Never change it. */
  readonly id: string;
  /** Name for users: "GitHub". */
  readonly label: string;
  /** Form on the login page. Without it the page shows only a button; providers with forms come after buttons. */
  readonly form?: LoginForm;
  /**
   * Names of required variables, such as `CLIENT_ID`. Each is read from `CMS_OAUTH_{PROVIDER}_{NAME}`, else from
   * `{PROVIDER}_{NAME}`, where PROVIDER is the id in upper case with `_` for `-`. A provider without one of them is not
   * offered.
   */
  readonly environment?: readonly string[];
  /** Whether the first user of a site may sign in with it: then the setup offers it too. */
  readonly setup?: boolean;
  /** Its collections by name, for `context.storage`. */
  readonly storage?: Readonly<Record<string, StorageOptions>>;
  /** Its addresses below `/_cms/api/auth/oauth/{id}/`. */
  readonly routes?: readonly ProviderRoute[];
  /** Prefixes of public paths among `routes`: `['client-metadata.json', 'public/']`. All others require a session. */
  readonly publicPrefixes?: readonly string[];

  /**
   * Begins a login. It stores nothing itself: values for `complete` (a PKCE verifier, a nonce) are returned as `kept`.
   * @throws LoginProviderError; any other error is reported as `oauth_error`
   */
  readonly begin: (context: ProviderContext, request: BeginRequest) => Promise<LoginStart>;

  /**
   * Finishes a login. `state` has been checked, and the callback has no `error`.
   * @throws LoginProviderError; any other error is reported as `oauth_error`
   */
  readonly complete: (context: ProviderContext, request: CompleteRequest) => Promise<ProviderIdentity>;
}

/** The one text field of a provider's form. */
export interface LoginForm {
  readonly field: {
    /** Its parameter in the query of `begin`. */
    readonly name: string;
    readonly label: string;
    readonly placeholder?: string;
  };
}

/** The context of a provider during one request. */
export interface ProviderContext {
  /** Origin at which the browser reaches the site: "https://example.com". */
  readonly origin: string;
  /** The address to which the account's server redirects the browser. */
  readonly callbackUrl: string;
  /** The base address of the provider's routes, without a trailing slash. */
  readonly routesUrl: string;
  /** The values of `environment`, by the names given there. */
  readonly variables: Readonly<Record<string, string>>;
  /** Opens a collection that `storage` declares. */
  readonly storage: (collection: string) => ProviderStore;
  /** Fetches with limits on time and on the size of the response. It follows no redirects. */
  readonly fetch: typeof globalThis.fetch;
}

/** Parameters of an address; the last of repeated ones. */
export type Query = Readonly<Record<string, string>>;

export interface BeginRequest {
  /** The query of the browser, including the form's field; `invite` and `redirect` belong to Quire and are left out. */
  readonly query: Query;
  /** The `state` that the callback has to have. */
  readonly state: string;
}

/** The address for the browser. */
export interface LoginStart {
  readonly url: string | URL;
  /** Passed to `complete` unchanged. It stays on the server; 16 KiB of JSON at most. */
  readonly kept?: Readonly<Record<string, Json>>;
}

export interface CompleteRequest {
  readonly query: Query;
  readonly state: string;
  /** The state that `begin` returned; an empty object when it returned none. */
  readonly kept: Readonly<Record<string, Json>>;
}

/** The account of a login. */
export interface ProviderIdentity {
  /** Permanent id of the account: neither a login name nor an address, which may change their owner. */
  readonly accountId: string;
  /**
   * The account's e-mail address. Only a verified address signs in an existing user; set `isVerified: true` only if the
   * provider has verified it. Null where accounts have none: those are identified only by their id.
   */
  readonly email: { readonly address: string; readonly isVerified: boolean } | null;
  readonly name: string | null;
}

export interface StorageOptions {
  /** Default lifetime of a document, unless `set` is given another. */
  readonly lifetimeSeconds: number;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * Small documents by key, stored in PostgreSQL for one site, one provider and one collection; all processes share them.
 * Keys have 500 characters at most, documents 64 KiB of JSON.
 */
export interface ProviderStore {
  /** The document; undefined when there is none, or it has expired. */
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json, options?: StorageOptions): Promise<void>;
  delete(key: string): Promise<void>;
  /** Gets and deletes a document: only one of several concurrent calls gets it. */
  take(key: string): Promise<Json | undefined>;
}

/** A route of the provider: metadata of the client, a webhook. */
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
  /** Of a POST: parsed JSON, or the fields of a form; an empty object without a body. */
  readonly body: unknown;
}

export interface RouteResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent with the given `headers`; any other value as JSON. */
  readonly body?: string | Json;
}
