/** An input that a source cannot read. The message is shown to the user: plain sentences without tokens. */
export class ImportSourceError extends Error {
  override readonly name = 'ImportSourceError';
}
