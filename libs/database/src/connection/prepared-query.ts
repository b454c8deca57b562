import pg from 'pg';

/** The columns of a statement's result: their names with the conversion of their texts. */
interface ResultFormat {
  names: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
  /** A row without values. A copy of it is faster than an object that grows by its columns. */
  emptyRow: object;
}

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

/** The formats of prepared statements by name. PostgreSQL rejects an execution whose columns would differ. */
const formats = new WeakMap<PreparedConnection, Map<string, ResultFormat>>();

export interface PreparedQueryOptions {
  name: string;
  text: string;
  values: readonly unknown[];
  types: pg.CustomTypesConfig;
}

/**
 * A prepared statement as a query of pg. pg's own query requests and reads a description of the columns at each
 * execution; this one does so once for each connection.
 */
export class PreparedQuery<Row extends object> implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  private readonly rows: Row[] = [];
  private format: ResultFormat | undefined;
  private formatsOfConnection: Map<string, ResultFormat> | undefined;
  private conversionError: Error | undefined;

  /** @param settle gets the error, or else the rows */
  constructor(
    private readonly options: PreparedQueryOptions,
    private readonly settle: (error: Error | undefined, rows: Row[]) => void,
  ) {
    this.name = options.name;
    this.text = options.text;
  }

  /** Called by pg when it is the query's turn. */
  submit(given: unknown): Error | null {
    const connection = given as PreparedConnection;
    let known = formats.get(connection);
    if (!known) formats.set(connection, (known = new Map<string, ResultFormat>()));
    this.formatsOfConnection = known;
    this.format = known.get(this.name);
    const { stream } = connection;
    stream.cork();
    try {
      this.send(connection);
    } finally {
      stream.uncork();
    }
    return null;
  }

  private send(connection: PreparedConnection): void {
    const { name, text } = this;
    if (connection.parsedStatements[name] === undefined) connection.parse({ name, text });
    try {
      connection.bind({ statement: name, values: this.options.values, valueMapper: prepareValue });
    } catch (error) {
      // A value that has no text. The server answers the synchronisation, which ends the query.
      this.conversionError = error as Error;
      connection.sync();
      return;
    }
    if (!this.format) connection.describe({ type: 'P' });
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
    this.format = { names, parsers, emptyRow: JSON.parse(`{${pairs.join()}}`) as object };
    this.formatsOfConnection?.set(this.name, this.format);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.conversionError || !this.format) return;
    const { names, parsers, emptyRow } = this.format;
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

  /** The rows are complete; an error of the end of the implicit transaction may follow. */
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.settle(this.conversionError, this.rows);
  }

  handleError(error: Error): void {
    this.settle(error, this.rows);
  }
}
