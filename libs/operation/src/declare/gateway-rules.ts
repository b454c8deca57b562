/**
 * CSRF protection of unsafe requests. `header`: they have `X-CMS-Request: 1`. `form`: they come from a page of the
 * site, which cannot send that header without scripts, and have a token that the operation checks. `none`: pages of any
 * origin may send them.
 */
export type CsrfRule = 'header' | 'form' | 'none';

/**
 * The effect of an edge access proxy, which signs users in before requests arrive, on a path. `protected`: the path
 * requires the proxy's assertion, or a Bearer token. `public`: it does not, and without an assertion the caller is
 * anonymous. `public-with-session`: the same, except that the session cookie identifies the caller. `disabled`: the
 * proxy replaces the path's function, so the path is not found.
 */
export type EdgeAccessRule = 'protected' | 'public' | 'public-with-session' | 'disabled';

/** The gateway's rules for a path before it forwards a request. */
export interface GatewayRules {
  /** `header` unless given; `none` for operations with `crossOrigin`. Safe methods need no protection. */
  csrf: CsrfRule;
  /** `protected` unless given. */
  underEdgeAccess: EdgeAccessRule;
  /** True where the body has all credentials: credentials in the headers are ignored. */
  ignoresCredentials: boolean;
  /** Names of the cookies that the service receives, without prefix, or all of them; none unless given. */
  cookies: readonly string[] | 'all';
  /** Seconds until the response has to begin, where the default of the gateway is not enough. */
  timeoutSeconds: number | undefined;
  /** Whether unsafe requests are accepted while an import writes to the site (contract 25); false unless given. */
  availableDuringImport: boolean;
}

export const defaultGatewayRules: GatewayRules = {
  csrf: 'header',
  underEdgeAccess: 'protected',
  ignoresCredentials: false,
  cookies: [],
  timeoutSeconds: undefined,
  availableDuringImport: false,
};

/**
 * Rules of one service for a path and all paths below it: for operations that do not state them, and for paths without
 * a declared operation. Rules of a longer path win.
 */
export interface NamespaceDeclaration extends Partial<GatewayRules> {
  /** Relative to `/_cms/api`, or absolute when it begins with `/`. */
  path: string;
  /**
   * True for the service that responds to undeclared paths, where several services have operations below the path. The
   * only service below a path does so without it.
   */
  servesUndeclaredPaths?: boolean;
}

/** The gateway rules among the properties of an object; absent ones are left out. */
export function statedRules(declaration: Partial<GatewayRules>): Partial<GatewayRules> {
  const names = Object.keys(defaultGatewayRules) as (keyof GatewayRules)[];
  return Object.fromEntries(
    names.flatMap((name) => (declaration[name] === undefined ? [] : [[name, declaration[name]]])),
  );
}
