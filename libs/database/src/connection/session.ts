import pg from 'pg';
import { hasSqlState, sqlState } from './failures.js';

/** Where the statements of a handle run. */
export interface SqlTarget {
  schema: string;
  /** With the rights of the schema's owner and no others, instead of those of the login. */
  asOwner: boolean;
}

interface Owner {
  oid: number;
  name: string;
}

interface Session {
  schema: string;
  /** The role that statements run as; undefined is the login. */
  role: Owner | undefined;
}

/** What a pooled connection was last pointed at; undefined right after connecting. */
const sessionOf = new WeakMap<pg.PoolClient, Session>();

/**
 * Points pooled connections at a schema and a role, in one round trip and only when they served another target before.
 * Owners of schemas are looked up once a process, and again when the database refuses what they should be able to
 * reach.
 */
export class Sessions {
  private readonly owners = new Map<string, Owner>();

  /**
   * Has the statements that follow on this connection run on a target. A schema that does not exist is left without a
   * role.
   */
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
      // The owner that is known is gone: a site was deleted, and perhaps made again.
      if (!asOwner || !hasSqlState(error, sqlState.invalidParameterValue)) throw error;
      this.owners.delete(schema);
      await this.setSearchPath(client, target);
    }
  }

  /**
   * Whether a statement was refused because its schema has another owner by now, whom the next `enter` takes.
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
    // Two statements of one message are one transaction: both hold, or neither.
    await client.query(`SET search_path TO ${pg.escapeIdentifier(schema)}; SET ROLE ${name}`);
    sessionOf.set(client, { schema, role });
  }

  private async owner(client: pg.PoolClient, schema: string): Promise<Owner | undefined> {
    const known = this.owners.get(schema);
    if (known) return known;
    const owner = await ownerOf(client, schema);
    // A concurrent look-up may have stored an owner: connections compare owners by identity.
    const kept = this.owners.get(schema) ?? owner;
    if (kept) this.owners.set(schema, kept);
    return kept;
  }
}

async function ownerOf(client: pg.PoolClient, schema: string): Promise<Owner | undefined> {
  const { rows } = await client.query<Owner>(
    'SELECT nspowner::bigint AS oid, pg_get_userbyid(nspowner) AS name FROM pg_namespace WHERE nspname = $1',
    [schema],
  );
  return rows[0];
}
