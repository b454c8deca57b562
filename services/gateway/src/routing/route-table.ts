import type { GatewayRules } from '@quire/operation';

/**
 * Which service serves which path, by what rules of the gateway: service, namespace (the path below which the service
 * is alone), path relative to the namespace. Paths write parameters as `:name`; `/*` stands for all that no operation
 * is declared for. Rules that are absent have their default.
 */
export type RouteTable = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, Partial<GatewayRules>>>>>>
>;
