import {
  Database,
  LazyDatabase,
  type DatabaseOptions,
  type SchemaOptions,
  type TransactionalDatabase,
} from '@quire/database';
import { sharedSchema, tenantSchema, type Tenant } from '../registry/tenant.js';

export interface ServiceDatabasesOptions extends Omit<DatabaseOptions, 'url'> {
  service: string;
  /** Address of the service's default database. */
  url: string;
  /** Addresses of further databases by their key in the registry. */
  extraUrls: ReadonlyMap<string, string>;
  /** Whether provisioned sites get a separate database role (default: true). */
  hasSiteRoles?: boolean;
  /** The serving role, if the provisioning login is another one. */
  servingRole?: string | undefined;
}

/**
 * The databases of one service. A tenant's connection is the only way to a statement: there is no handle without a
 * tenant, except for the service's data across tenants, which has a separate schema. Only the default database must
 * respond at the start. Another one that is unavailable affects the tenants that it has.
 */
export class ServiceDatabases {
  private constructor(
    readonly service: string,
    readonly hasSiteRoles: boolean,
    readonly servingRole: string | undefined,
    private readonly byKey: ReadonlyMap<string | null, Database | LazyDatabase>,
  ) {}

  /** Connects to the default database. @throws the driver's error when it does not respond */
  static async open({
    service,
    url,
    extraUrls,
    hasSiteRoles = true,
    servingRole,
    ...options
  }: ServiceDatabasesOptions): Promise<ServiceDatabases> {
    const byKey = new Map<string | null, Database | LazyDatabase>();
    byKey.set(null, await Database.connect({ ...options, url }));
    for (const [key, extraUrl] of extraUrls) byKey.set(key, new LazyDatabase({ ...options, url: extraUrl }));
    return new ServiceDatabases(service, hasSiteRoles, servingRole, byKey);
  }

  /**
   * Statements in a tenant's schema, as the role that owns it.
   * @param trace trace context of the request or job that they belong to
   * @throws Error when no address is configured for the tenant's database.
   */
  tenant(tenant: Tenant, trace?: string): TransactionalDatabase {
    return this.handle(tenant.database, tenantSchema(tenant), { asOwner: true, trace });
  }

  /** Statements in the schema of the service's data across tenants, in the database of this key. */
  shared(database: string | null = null): TransactionalDatabase {
    return this.handle(database, sharedSchema(this.service));
  }

  /** Statements in any schema of the default database: for the registry and for provisioning. */
  inSchema(schema: string, database: string | null = null): TransactionalDatabase {
    return this.handle(database, schema);
  }

  /** To call after the schema or the role of a tenant was created or dropped by this process. */
  forgetOwner(tenant: Tenant): void {
    this.byKey.get(tenant.database)?.forgetOwner(tenantSchema(tenant));
  }

  /** Keys of the databases; null is the default one. */
  get keys(): (string | null)[] {
    return [...this.byKey.keys()];
  }

  /** Resolves when the database of a key responds. @throws QuireError SERVICE_UNAVAILABLE otherwise */
  async ping(key: string | null): Promise<void> {
    await this.handle(key, 'pg_catalog').query('SELECT 1');
  }

  /** Connections of all databases. */
  get poolUse(): { total: number; idle: number; waiting: number } {
    const uses = [...this.byKey.values()].map((database) => database.poolUse);
    const sum = (part: 'total' | 'idle' | 'waiting') => uses.reduce((total, use) => total + use[part], 0);
    return { total: sum('total'), idle: sum('idle'), waiting: sum('waiting') };
  }

  async close(): Promise<void> {
    await Promise.all([...this.byKey.values()].map((database) => database.close()));
  }

  private handle(key: string | null, schema: string, options?: SchemaOptions): TransactionalDatabase {
    const database = this.byKey.get(key);
    if (!database)
      throw new Error(`No address is configured for the database ${key}: set DATABASE_URL_${key}`);
    return database.inSchema(schema, options);
  }
}
