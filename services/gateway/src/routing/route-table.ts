import type { GatewayRules } from '@quire/operation';

/**
 * Paths with their service and the rules of the gateway. The keys are the service, the namespace (a path below which
 * only this service has operations) and the path relative to the namespace. Parameters are written as `:name`; `/*`
 * matches paths without a declared operation. Absent rules have their default.
 */
export type RouteTable = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, Partial<GatewayRules>>>>>>
>;
