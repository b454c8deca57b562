import { Database, type DatabaseOptions, type SchemaOptions } from './database.js';
import { unavailable } from './failures.js';
import type { TransactionalDatabase } from './sql.js';

/**
 * A database that is connected at its first statement. While it cannot be connected, only its own statements fail, with
 * 503, and each tries again.
 */
export class LazyDatabase {
  private database: Database | undefined;
  private connecting: Promise<Database> | undefined;
  private isClosed = false;

  constructor(private readonly options: DatabaseOptions) {}

  /** See `Database.inSchema`. */
  inSchema(schema: string, options: SchemaOptions = {}): TransactionalDatabase {
    if (this.database) return this.database.inSchema(schema, options);
    const connected = async () => (await this.connect()).inSchema(schema, options);
    return {
      trace: options.trace,
      query: async (statement, values) => (await connected()).query(statement, values),
      transaction: async (work) => (await connected()).transaction(work),
    };
  }

  /** See `Database.forgetOwner`. */
  forgetOwner(schema: string): void {
    this.database?.forgetOwner(schema);
  }

  /** See `Database.poolUse`. */
  get poolUse(): Database['poolUse'] {
    return this.database?.poolUse ?? { total: 0, idle: 0, waiting: 0 };
  }

  /** Closes the connections, also those that are being opened. */
  async close(): Promise<void> {
    this.isClosed = true;
    const database = await this.connecting?.catch(() => undefined);
    this.connecting = undefined;
    this.database = undefined;
    await database?.close();
  }

  private async connect(): Promise<Database> {
    if (this.database) return this.database;
    if (this.isClosed) throw unavailable('The database is closed', undefined);
    this.connecting ??= Database.connect(this.options);
    try {
      return (this.database = await this.connecting);
    } catch (error) {
      this.connecting = undefined;
      throw unavailable('The database is unavailable; retry later', error);
    }
  }
}
