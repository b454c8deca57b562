import { LRUCache } from 'lru-cache';

/** Maximum number of prepared statements of a connection: each costs the server some memory for its plan. */
export const maxPreparedStatements = 300;
/** Maximum number of texts whose use a process remembers. */
const maxUsedTexts = 2_000;

/** The number of a text that the process has used, which is short and unlike those of all former texts. */
const usedTexts = new LRUCache<string, number>({ max: maxUsedTexts });
let usedTextCount = 0;

/** The columns of a statement's result: their names with the conversion of their texts. */
export interface ResultFormat {
  names: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
  /** A row without values. A copy of it is faster than an object that grows by its columns. */
  emptyRow: object;
}

export interface PreparedStatement {
  /** Empty for the unnamed statement, which the next one of the connection replaces. */
  name: string;
  /** Known after the first execution. PostgreSQL rejects an execution whose columns would differ. */
  format: ResultFormat | undefined;
}

/**
 * The prepared statements of one connection by schema and text. A text gets names from its second use by the process,
 * because most texts of a process with many collections are used once. It has a name for each schema: PostgreSQL
 * analyses and plans a statement again when the search path is not that of its previous execution, which costs several
 * times the execution. The least recently used statement gives way to a new one.
 */
export class PreparedStatements {
  private count = 0;
  private evicted: string | undefined;
  private readonly byUse = new LRUCache<string, PreparedStatement>({
    max: maxPreparedStatements,
    dispose: ({ name }) => (this.evicted = name),
  });

  /**
   * The statement of a text for its next execution.
   * @param schema the search path of the execution
   * @param close gets the name of a statement that gave way, which the connection must close
   */
  use(schema: string, text: string, close: (name: string) => void): PreparedStatement {
    const number = usedTexts.get(text);
    if (number === undefined) {
      usedTexts.set(text, (usedTextCount += 1));
      return { name: '', format: undefined };
    }
    const use = `${number} ${schema}`;
    const known = this.byUse.get(use);
    if (known) return known;
    // Names are not reused: a statement that was closed cannot be taken for another one.
    const statement = { name: `q${(this.count += 1)}`, format: undefined };
    this.byUse.set(use, statement);
    if (this.evicted !== undefined) close(this.evicted);
    this.evicted = undefined;
    return statement;
  }
}
