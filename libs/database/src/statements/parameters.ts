/** Collects the values of a statement while its text is built: `$1`, `$2`, … */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder; `cast` names its type where PostgreSQL cannot infer one. */
  add(value: unknown, cast?: string): string {
    this.values.push(value);
    return cast ? `$${this.values.length}::${cast}` : `$${this.values.length}`;
  }
}
