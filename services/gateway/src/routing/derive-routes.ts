import { apiPrefix, pathOf } from '@quire/http-server';
import {
  defaultGatewayRules,
  statedRules,
  type GatewayRules,
  type NamespaceDeclaration,
  type OperationDeclaration,
} from '@quire/operation';
import type { RouteTable } from './route-table.js';

/** The declarations of a service about its paths. */
export interface ServiceDeclarations {
  service: string;
  operations: readonly OperationDeclaration[];
  namespaces: readonly NamespaceDeclaration[];
}

type Owners = ReadonlyMap<string, ReadonlySet<string>>;

interface Route {
  service: string;
  path: string;
  rules: Partial<GatewayRules>;
}

/** Paths that belong to no service, even if only one service has operations below them. */
const sharedPaths: ReadonlySet<string> = new Set(['/_cms', '/_cms/.well-known', '/.well-known', apiPrefix]);
const ruleNames = Object.keys(defaultGatewayRules) as (keyof GatewayRules)[];
/** Rules that have no effect on safe methods: what their operations state is ignored. */
const rulesOfUnsafeMethods: ReadonlySet<keyof GatewayRules> = new Set(['csrf', 'availableDuringImport']);

/**
 * Derives the gateway's table of routes from the declarations of the services. Internal operations have no route. The
 * rules of a path apply to all methods, because the gateway also applies them to methods without an operation.
 * @throws Error when operations of one path state different rules, two services have one path, or a service has no
 *   operations near a namespace that it declares.
 */
export function deriveRoutes(services: readonly ServiceDeclarations[]): RouteTable {
  const operationRoutes = services.flatMap(routesOf);
  const owners = ownersOf(operationRoutes);
  const routes = [...operationRoutes, ...services.flatMap((service) => undeclaredRoutesOf(service, owners))];
  const table: Record<string, Record<string, Record<string, Partial<GatewayRules>>>> = {};
  const paths = new Map<string, string>();
  for (const { service, path, rules } of routes) {
    const other = paths.get(shapeOf(path));
    if (other === service) continue;
    if (other !== undefined) throw new Error(`${other} and ${service} both have ${path}`);
    paths.set(shapeOf(path), service);
    const namespace = namespaceOf(path, owners);
    const relative = path.slice(namespace.length);
    ((table[service] ??= {})[namespace] ??= {})[relative] = withoutDefaults(rules);
  }
  return sorted(table);
}

function isExternal({ access }: OperationDeclaration): boolean {
  return access !== 'internal' && access !== 'delegated';
}

/** One route per path, with the rules that all its operations share. */
function routesOf({ service, operations, namespaces }: ServiceDeclarations): Route[] {
  const byShape = new Map<string, OperationDeclaration[]>();
  for (const operation of operations) {
    if (!isExternal(operation)) continue;
    const shape = shapeOf(pathOf(operation.path));
    byShape.set(shape, [...(byShape.get(shape) ?? []), operation]);
  }
  return [...byShape.values()].map((group) => {
    const path = pathOf((group[0] as OperationDeclaration).path);
    return { service, path, rules: sharedRules(group, inheritedRules(path, namespaces)) };
  });
}

/** Routes of paths without a declared operation: namespaces themselves, and paths below them. */
function undeclaredRoutesOf(
  { service, operations, namespaces }: ServiceDeclarations,
  owners: Owners,
): Route[] {
  const external = operations.filter(isExternal);
  const prefixes = [...new Set(external.map(({ path }) => namespaceOf(pathOf(path), owners)))];
  const declared = namespaces.map((namespace) => ({ ...namespace, path: pathOf(namespace.path) }));
  const unused = declared.find(
    ({ path }) => !prefixes.some((prefix) => isBelow(path, prefix) || isBelow(prefix, path)),
  );
  if (unused) throw new Error(`${service}: no operation is declared near the namespace ${unused.path}`);
  const roots = prefixes.filter((prefix) => isOwned(prefix, owners));
  const inner = declared.filter(
    ({ path, servesUndeclaredPaths }) => servesUndeclaredPaths || roots.some((root) => isBelow(path, root)),
  );
  const rulesAt = (path: string) => inheritedRules(path, namespaces);
  return [
    ...roots.map((path) => ({ service, path, rules: rulesAt(path) })),
    ...[...roots, ...inner.map(({ path }) => path)].map((path) => ({
      service,
      path: `${path}/*`,
      rules: rulesAt(path),
    })),
  ];
}

/** @throws Error when operations state different rules. */
function sharedRules(
  operations: readonly OperationDeclaration[],
  inherited: Partial<GatewayRules>,
): Partial<GatewayRules> {
  const all = operations.map((operation) => ({
    ...defaultGatewayRules,
    ...inherited,
    ...(operation.crossOrigin ? { csrf: 'none' } : {}),
    ...statedRules(operation),
  }));
  const unsafe = all.filter((_, index) => operations[index]?.method !== 'GET');
  return Object.fromEntries(
    ruleNames.map((name) => {
      const values = (rulesOfUnsafeMethods.has(name) ? unsafe : all).map((rules) => rules[name]);
      if (new Set(values.map((value) => JSON.stringify(value))).size > 1)
        throw new Error(`${operations.map(({ id }) => id).join(', ')}: one path, but different ${name}`);
      return [name, values.length > 0 ? values[0] : inherited[name]];
    }),
  );
}

/** Rules of the namespaces around a path. Longer namespaces take precedence. */
function inheritedRules(path: string, namespaces: readonly NamespaceDeclaration[]): Partial<GatewayRules> {
  return namespaces
    .filter((namespace) => isBelow(path, pathOf(namespace.path)))
    .sort((left, right) => pathOf(left.path).length - pathOf(right.path).length)
    .reduce((rules, namespace) => ({ ...rules, ...statedRules(namespace) }), {});
}

/** For each prefix of an operation's path, the services that have operations there. */
function ownersOf(routes: readonly Route[]): Owners {
  const owners = new Map<string, Set<string>>();
  for (const { service, path } of routes)
    for (const before of pathsUpTo(path)) owners.set(before, (owners.get(before) ?? new Set()).add(service));
  return owners;
}

/** The shortest prefix of a path below which only one service has operations, else its part without parameters. */
function namespaceOf(path: string, owners: Owners): string {
  const literal = pathsUpTo(path).filter((before) => !/[:*]/.test(before));
  return literal.find((before) => isOwned(before, owners)) ?? literal.at(-1) ?? '';
}

function isOwned(path: string, owners: Owners): boolean {
  return !sharedPaths.has(path) && owners.get(path)?.size === 1;
}

/** A path without the names of its parameters, which do not distinguish paths. */
function shapeOf(path: string): string {
  return path.replace(/:[^/]+/g, ':');
}

/** `/a`, `/a/b` and `/a/b/c` of `/a/b/c`. */
function pathsUpTo(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}

function isBelow(path: string, namespace: string): boolean {
  return path === namespace || path.startsWith(`${namespace}/`);
}

function withoutDefaults(rules: Partial<GatewayRules>): Partial<GatewayRules> {
  return Object.fromEntries(
    Object.entries(statedRules(rules)).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(defaultGatewayRules[name as keyof GatewayRules]),
    ),
  );
}

/** The same table with its keys in order, at every level except that of rules. */
function sorted(table: RouteTable): RouteTable {
  return mapSorted(table, (namespaces) =>
    mapSorted(namespaces, (paths) => mapSorted(paths, (rules) => rules)),
  );
}

function mapSorted<Value, Result>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> {
  const entries = Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value)]));
}
