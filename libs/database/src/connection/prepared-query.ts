import pg from 'pg';
import { hasSqlState, sqlState } from './failures.js';
import { PreparedStatements, type PreparedStatement } from './prepared-statements.js';

/** What pg's connections have in addition to their declared type. */
interface PreparedConnection {
  stream: { cork(): void; uncork(): void };
  /** Texts of the statements that the server has parsed, by name. */
  parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => string | Buffer | null;
  }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

const { prepareValue } = (
  pg as unknown as { utils: { prepareValue: (value: unknown) => string | Buffer | null } }
).utils;

const statementsOf = new WeakMap<PreparedConnection, PreparedStatements>();

export interface PreparedQueryOptions {
  /** The schema in which the statement runs. */
  schema: string;
  /** Statements without rows that run before it: those that bring the session to its schema and role. */
  settings?: readonly string[];
  text: string;
  values: readonly unknown[];
  types: pg.CustomTypesConfig;
}

/** The session could not be brought to the schema and role of a statement. The statement has not run. */
export class SessionSwitchError extends Error {
  override name = 'SessionSwitchError';
}

/**
 * A prepared statement as a query of pg. pg's own query requests and reads a description of the columns at each
 * execution; this one does so once for each connection. Settings and statement are sent together, and are one
 * transaction: after an error the server skips all that follows, and undoes the settings.
 */
export class PreparedQuery<Row extends object> implements pg.Submittable {
  /** The name of the statement on the connection, by which pg records that the server has parsed it. */
  name = '';
  readonly text: string;
  private readonly rows: Row[] = [];
  private readonly settings: readonly string[];
  private statement: PreparedStatement | undefined;
  private completed = 0;
  private conversionError: Error | undefined;

  /** @param settle gets the error, or else the rows */
  constructor(
    private readonly options: PreparedQueryOptions,
    private readonly settle: (error: Error | undefined, rows: Row[]) => void,
  ) {
    this.text = options.text;
    this.settings = options.settings ?? [];
  }

  /** Called by pg when it is the query's turn. */
  submit(given: unknown): Error | null {
    const connection = given as PreparedConnection;
    let statements = statementsOf.get(connection);
    if (!statements) statementsOf.set(connection, (statements = new PreparedStatements()));
    const { stream } = connection;
    stream.cork();
    try {
      const { schema } = this.options;
      this.statement = statements.use(schema, this.text, (name) => closeStatement(connection, name));
      for (const text of this.settings) sendSetting(connection, text);
      this.nameIfNext();
      this.send(connection, this.statement);
    } finally {
      stream.uncork();
    }
    return null;
  }

  private send(connection: PreparedConnection, { name, format }: PreparedStatement): void {
    const { text } = this;
    if (connection.parsedStatements[name] === undefined) connection.parse({ name, text });
    try {
      connection.bind({ statement: name, values: this.options.values, valueMapper: prepareValue });
    } catch (error) {
      // A value that has no text. The server answers the synchronisation, which ends the query.
      this.conversionError = error as Error;
      connection.sync();
      return;
    }
    if (!format) connection.describe({ type: 'P' });
    connection.execute();
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const names = fields.map((field) => field.name);
    const { getTypeParser } = this.options.types;
    const parsers = fields.map(
      ({ dataTypeID }) => getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    );
    const pairs = names.map((column) => `${JSON.stringify(column)}:null`);
    const emptyRow = JSON.parse(`{${pairs.join()}}`) as object;
    if (this.statement) this.statement.format = { names, parsers, emptyRow };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const format = this.statement?.format;
    if (this.conversionError || !format) return;
    const { names, parsers, emptyRow } = format;
    const row: Record<string, unknown> = { ...emptyRow };
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index];
        if (text !== null && text !== undefined) row[names[index] as string] = parsers[index]?.(text);
      }
    } catch (error) {
      this.conversionError = error as Error;
    }
    this.rows.push(row as Row);
  }

  /** The rows of a part are complete; an error of the end of the implicit transaction may follow. */
  handleCommandComplete(): void {
    this.completed += 1;
    this.nameIfNext();
  }

  /** Not before: pg would record that the server has parsed the statement when it has parsed a setting. */
  private nameIfNext(): void {
    if (this.completed === this.settings.length) this.name = this.statement?.name ?? '';
  }

  handleReadyForQuery(): void {
    this.settle(this.conversionError, this.rows);
  }

  handleError(error: Error): void {
    const isRejectedSetting =
      this.completed < this.settings.length &&
      hasSqlState(error, sqlState.insufficientPrivilege, sqlState.invalidParameterValue);
    this.settle(
      isRejectedSetting ? new SessionSwitchError(error.message, { cause: error }) : error,
      this.rows,
    );
  }
}

function sendSetting(connection: PreparedConnection, text: string): void {
  connection.parse({ name: '', text });
  connection.bind({ statement: '', values: [], valueMapper: prepareValue });
  connection.execute();
}

/** The server reads the message before the next statement, without a round trip of its own. */
function closeStatement(connection: PreparedConnection, name: string): void {
  connection.close({ type: 'S', name });
  delete connection.parsedStatements[name];
}
