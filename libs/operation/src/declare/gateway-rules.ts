/**
 * How unsafe requests are guarded against forgery: `header`, they carry `X-CMS-Request: 1`; `form`, they come from a
 * page of the site itself, which cannot send that header without scripts, and carry a token that the operation checks;
 * `none`, pages of any origin may send them.
 */
export type CsrfRule = 'header' | 'form' | 'none';

/**
 * What an edge access proxy, which signs users in before requests arrive, means for a path. `protected`: the path needs
 * the proxy's assertion, or a Bearer token. `public`: it does not, and without an assertion the caller is anonymous.
 * `public-with-session`: the same, except that the session cookie tells who the caller is. `disabled`: the proxy
 * replaces what the path does, so that it is not found.
 */
export type EdgeAccessRule = 'protected' | 'public' | 'public-with-session' | 'disabled';

/** What the gateway has to know of a path before it forwards a request. */
export interface GatewayRules {
  /** `header` unless given; `none` for operations with `crossOrigin`. Safe methods are not guarded. */
  csrf: CsrfRule;
  /** `protected` unless given. */
  underEdgeAccess: EdgeAccessRule;
  /** True where the body carries all that counts: a credential in the headers is not looked at. */
  ignoresCredentials: boolean;
  /** Names of the cookies that the service receives, without prefix, or all of them; none unless given. */
  cookies: readonly string[] | 'all';
  /** Seconds until the response has to begin, where the default of the gateway is not enough. */
  timeoutSeconds: number | undefined;
}

export const defaultGatewayRules: GatewayRules = {
  csrf: 'header',
  underEdgeAccess: 'protected',
  ignoresCredentials: false,
  cookies: [],
  timeoutSeconds: undefined,
};

/**
 * Rules of all paths of one service below a path, itself included: of operations that do not state them, and of paths
 * that no operation is declared for. Rules of a longer path win.
 */
export interface NamespaceDeclaration extends Partial<GatewayRules> {
  /** Relative to `/_cms/api`, or absolute when it begins with `/`. */
  path: string;
  /**
   * True for the service that responds to undeclared paths, where several services have operations below the path. A
   * service that is alone there does so without it.
   */
  servesUndeclaredPaths?: boolean;
}

/** The rules of an object that has them among other properties; those that are absent are left out. */
export function statedRules(declaration: Partial<GatewayRules>): Partial<GatewayRules> {
  const names = Object.keys(defaultGatewayRules) as (keyof GatewayRules)[];
  return Object.fromEntries(
    names.flatMap((name) => (declaration[name] === undefined ? [] : [[name, declaration[name]]])),
  );
}
