/**
 * A fatal fault of an export file (sheet import-and-fields, section 6): nothing of the file can be imported. The API
 * answers 400 IMPORT_INVALID_FILE with `message`, which is `line N: reason`, or the reason if the line is unknown.
 */
export class ExportFileError extends Error {
  /** @param line 1-based line of the normalised file; undefined if the fault concerns the file as a whole */
  constructor(
    readonly reason: string,
    readonly line?: number,
  ) {
    super(line === undefined ? reason : `line ${line}: ${reason}`);
    this.name = 'ExportFileError';
  }
}
