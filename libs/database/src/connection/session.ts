import { createCache } from '@quire/observability';
import type { LRUCache } from 'lru-cache';
import pg from 'pg';
import { hasSqlState, sqlState } from './failures.js';
import { SessionSwitchError } from './prepared-query.js';

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
 * Switches pooled connections to a schema and a role, only after another target: in one round trip, or in that of the
 * next statement. A process looks up the owner of a schema once, and again when the database rejects a statement for
 * lack of rights. It forgets the owner of the schema that was not used for longest.
 */
export class Sessions {
  private readonly owners: LRUCache<string, Owner>;

  constructor(maxOwners = defaultMaxOwners) {
    this.owners = createCache('schema_owners', { max: maxOwners });
  }

  /** Whether the statements of a connection run at a target. */
  isOn(client: pg.PoolClient, { schema, asOwner }: SqlTarget): boolean {
    const current = sessionOf.get(client);
    const role = asOwner ? this.owners.get(schema) : undefined;
    return current?.schema === schema && current.role === role && (role !== undefined || !asOwner);
  }

  /** Forgets the owner of a schema: the next statement of each connection in it looks for the present one. */
  forgetOwner(schema: string): void {
    this.owners.delete(schema);
  }

  /** Whether the settings of a target are known without a look at the database. */
  isKnown({ schema, asOwner }: SqlTarget): boolean {
    return !asOwner || this.owners.has(schema);
  }

  /**
   * Runs one statement at a known target.
   * @param send sends the statement after these settings, which may be none, as one transaction with them
   * @throws SessionSwitchError when the target is no longer known
   */
  async run<Result>(
    client: pg.PoolClient,
    target: SqlTarget,
    send: (settings: readonly string[]) => Promise<Result>,
  ): Promise<Result> {
    if (this.isOn(client, target)) return send([]);
    const role = target.asOwner ? this.owners.get(target.schema) : undefined;
    if (target.asOwner && !role) throw new SessionSwitchError(`The owner of ${target.schema} is unknown`);
    // An error undoes the settings: the next statement sets them again.
    sessionOf.delete(client);
    const result = await send(settingsOf(target.schema, role));
    sessionOf.set(client, { schema: target.schema, role });
    return result;
  }

  /** Runs the following statements on this connection at a target. A missing schema gets no role. */
  async enter(client: pg.PoolClient, target: SqlTarget): Promise<void> {
    if (this.isOn(client, target)) return;
    const { schema, asOwner } = target;
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
    // Without rights in the schema it is not in the search path: its tables are not found, and none is created.
    const { insufficientPrivilege, undefinedTable, noSchemaSelected } = sqlState;
    if (!asOwner || !hasSqlState(error, insufficientPrivilege, undefinedTable, noSchemaSelected))
      return false;
    const known = this.owners.get(schema);
    const owner = await ownerOf(client, schema);
    if (owner?.oid === known?.oid) return false;
    this.owners.delete(schema);
    return owner !== undefined;
  }

  private async setSearchPath(client: pg.PoolClient, { schema, asOwner }: SqlTarget): Promise<void> {
    const role = asOwner ? await this.owner(client, schema) : undefined;
    // Two statements in one message are one transaction: both take effect, or neither.
    await client.query(settingsOf(schema, role).join('; '));
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

const settingsOf = (schema: string, role: Owner | undefined): string[] => [
  `SET search_path TO ${pg.escapeIdentifier(schema)}`,
  `SET ROLE ${role ? pg.escapeIdentifier(role.name) : 'NONE'}`,
];

async function ownerOf(client: pg.PoolClient, schema: string): Promise<Owner | undefined> {
  const { rows } = await client.query<Owner>(
    'SELECT nspowner::bigint AS oid, pg_get_userbyid(nspowner) AS name FROM pg_namespace WHERE nspname = $1',
    [schema],
  );
  return rows[0];
}
