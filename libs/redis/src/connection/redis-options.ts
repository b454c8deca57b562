import type { RedisOptions } from 'ioredis';

/** `redis://user:password@host:port/database`, or several sentinels and the name of their group before the database. */
const pattern =
  /^(?<scheme>rediss?(?<sentinels>\+sentinel)?):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^?#]*))?$/;
const hostPattern = /^(?<name>\[[0-9a-f:]+\]|[^:[\]\s]+)(?::(?<port>\d{1,5}))?$/i;
const defaultPort = { server: 6379, sentinel: 26_379 };

interface Host {
  host: string;
  port: number;
}

interface Address {
  hosts: Host[];
  /** The group of the sentinels. */
  group: string | undefined;
  database: number;
  username: string | undefined;
  password: string | undefined;
  isEncrypted: boolean;
}

/**
 * Whether a text is an address of Redis: `redis://[user:password@]host[:port][/database]`, `rediss://` with TLS, or
 * `redis+sentinel://[user:password@]host[:port],…/group[/database]`.
 */
export const isRedisUrl = (url: string): boolean => parse(url) !== undefined;

/**
 * The options of an ioredis client for an address. After a failover the client finds the new primary: a server that has
 * become a replica answers writes with READONLY, which makes the client connect again and repeat the command.
 * @throws Error for an invalid address, without its password
 */
export function redisOptions(url: string): RedisOptions {
  const address = parse(url);
  if (!address)
    throw new Error('Not an address of Redis: it begins with redis://, rediss:// or redis+sentinel://');
  const { hosts, group, database, username, password, isEncrypted } = address;
  const [first] = hosts;
  return {
    ...(group === undefined ? first : { sentinels: hosts, name: group }),
    db: database,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(isEncrypted
      ? { tls: {}, ...(group === undefined ? {} : { sentinelTLS: {}, enableTLSForSentinelMode: true }) }
      : {}),
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  };
}

function parse(url: string): Address | undefined {
  const parts = pattern.exec(url)?.groups;
  if (!parts) return undefined;
  const hasSentinels = parts.sentinels !== undefined;
  const names = (parts.hosts ?? '').split(',');
  if (names.length > 1 && !hasSentinels) return undefined;
  const hosts = names.flatMap((name) => parseHost(name, defaultPort[hasSentinels ? 'sentinel' : 'server']));
  const segments = (parts.path ?? '').split('/').filter((segment) => segment !== '');
  const group = hasSentinels ? segments.shift() : undefined;
  const [database = '0', ...others] = segments;
  if (hosts.length !== names.length || others.length > 0 || !/^\d{1,5}$/.test(database)) return undefined;
  if (hasSentinels && group === undefined) return undefined;
  return {
    hosts,
    group,
    database: Number(database),
    username: decode(parts.user),
    password: decode(parts.password),
    isEncrypted: parts.scheme?.startsWith('rediss') ?? false,
  };
}

function parseHost(text: string, port: number): Host[] {
  const parts = hostPattern.exec(text)?.groups;
  if (!parts?.name) return [];
  return [
    { host: parts.name.replace(/[[\]]/g, ''), port: parts.port === undefined ? port : Number(parts.port) },
  ];
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
