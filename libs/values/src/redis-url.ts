/** The scheme, the login, the hosts, and after a slash the group of sentinels and the database. */
const pattern =
  /^(?<scheme>rediss?(?:\+(?<servers>sentinel|cluster))?):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^?#]*))?$/;
const hostPattern = /^(?<name>\[[0-9a-f:]+\]|[^:[\]\s]+)(?::(?<port>\d{1,5}))?$/i;
const defaultPort = { single: 6379, sentinel: 26_379, cluster: 6379 };

export interface RedisHost {
  host: string;
  port: number;
}

/** The parts of an address of Redis. */
export interface RedisAddress {
  /** What the hosts are: one server, sentinels that know the primary of a group, or nodes of a cluster. */
  servers: 'single' | 'sentinel' | 'cluster';
  hosts: RedisHost[];
  /** The group of the sentinels. */
  group: string | undefined;
  /** 0 in a cluster, which has no other. */
  database: number;
  username: string | undefined;
  password: string | undefined;
  isEncrypted: boolean;
}

/**
 * Parses an address of Redis: `redis://[user:password@]host[:port][/database]`,
 * `redis+sentinel://[user:password@]host[:port],…/group[/database]` or
 * `redis+cluster://[user:password@]host[:port],…`; each with `rediss` for TLS.
 * @returns undefined for a text that is no such address
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  const parts = pattern.exec(url)?.groups;
  if (!parts) return undefined;
  const servers = (parts.servers ?? 'single') as RedisAddress['servers'];
  const names = (parts.hosts ?? '').split(',');
  if (names.length > 1 && servers === 'single') return undefined;
  const hosts = names.flatMap((name) => parseHost(name, defaultPort[servers]));
  const segments = (parts.path ?? '').split('/').filter((segment) => segment !== '');
  const group = servers === 'sentinel' ? segments.shift() : undefined;
  const [database = '0', ...others] = segments;
  if (hosts.length !== names.length || others.length > 0 || !/^\d{1,5}$/.test(database)) return undefined;
  if (servers === 'sentinel' && group === undefined) return undefined;
  if (servers === 'cluster' && segments.length > 0) return undefined;
  return {
    servers,
    hosts,
    group,
    database: Number(database),
    username: decode(parts.user),
    password: decode(parts.password),
    isEncrypted: parts.scheme?.startsWith('rediss') ?? false,
  };
}

function parseHost(text: string, port: number): RedisHost[] {
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
