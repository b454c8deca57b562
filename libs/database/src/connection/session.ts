import { createCache } from '@quire/observability';
import type { LRUCache } from 'lru-cache';
import pg from 'pg';
import { hasSqlState, sqlState } from './failures.js';

/** The schema and role of a handle's statements. */
export interface SqlTarget {
  schema: string;
  /** With only the rights of the schema's owner, instead of those of the login. */
  asOwner: boolean;
}

interface Owner {
  oid: number;
  name: string;
}

interface Session {
  schema: string;
  /** The role of the statements; undefined is the login. */
  role: Owner | undefined;
}

const defaultMaxOwners = 10_000;

/** The present target of a pooled connection; undefined after connecting. */
const sessionOf = new WeakMap<pg.PoolClient, Session>();

/**
 * Switches pooled connections to a schema and a role, in one round trip and only after another target. A process looks
 * up the owner of a schema once, and again when the database rejects a statement for lack of rights. It forgets the
 * owner of the schema that was not used for longest.
 */
export class Sessions {
  private readonly owners: LRUCache<string, Owner>;

  constructor(maxOwners = defaultMaxOwners) {
    this.owners = createCache('schema_owners', { max: maxOwners });
  }

  /** Runs the following statements on this connection at a target. A missing schema gets no role. */
  async enter(client: pg.PoolClient, target: SqlTarget): Promise<void> {
    const { schema, asOwner } = target;
    const current = sessionOf.get(client);
    const role = asOwner ? this.owners.get(schema) : undefined;
    const isOnTarget = current?.schema === schema && current.role === role;
    if (isOnTarget && (role !== undefined || !asOwner)) return;
    sessionOf.delete(client);
    try {
      await this.setSearchPath(client, target);
    } catch (error) {
      // The cached owner no longer exists: the site was deleted, and possibly created again.
      if (!asOwner || !hasSqlState(error, sqlState.invalidParameterValue)) throw error;
      this.owners.delete(schema);
      await this.setSearchPath(client, target);
    }
  }

  /**
   * Whether a statement failed because its schema has another owner since, which the next `enter` uses.
   * @param client a connection that is not in a transaction
   */
  async hasOtherOwner(
    client: pg.PoolClient,
    { schema, asOwner }: SqlTarget,
    error: unknown,
  ): Promise<boolean> {
    if (!asOwner || !hasSqlState(error, sqlState.insufficientPrivilege, sqlState.undefinedTable))
      return false;
    const known = this.owners.get(schema);
    const owner = await ownerOf(client, schema);
    if (owner?.oid === known?.oid) return false;
    this.owners.delete(schema);
    return owner !== undefined;
  }

  private async setSearchPath(client: pg.PoolClient, { schema, asOwner }: SqlTarget): Promise<void> {
    const role = asOwner ? await this.owner(client, schema) : undefined;
    const name = role ? pg.escapeIdentifier(role.name) : 'NONE';
    // Two statements in one message are one transaction: both take effect, or neither.
    await client.query(`SET search_path TO ${pg.escapeIdentifier(schema)}; SET ROLE ${name}`);
    sessionOf.set(client, { schema, role });
  }

  private async owner(client: pg.PoolClient, schema: string): Promise<Owner | undefined> {
    const known = this.owners.get(schema);
    if (known) return known;
    const owner = await ownerOf(client, schema);
    // A concurrent look-up may have stored an owner: connections compare owners by identity.
    const stored = this.owners.get(schema) ?? owner;
    if (stored) this.owners.set(schema, stored);
    return stored;
  }
}

async function ownerOf(client: pg.PoolClient, schema: string): Promise<Owner | undefined> {
  const { rows } = await client.query<Owner>(
    'SELECT nspowner::bigint AS oid, pg_get_userbyid(nspowner) AS name FROM pg_namespace WHERE nspname = $1',
    [schema],
  );
  return rows[0];
}
